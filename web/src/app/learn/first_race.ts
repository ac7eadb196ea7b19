/** A real race against the weakest bot, with the tips of the table switched on again. */
import { cards, createTable, settingsSent, usualSettings } from '../create.ts'
import { applySettings, settings } from '../settings.svelte.ts'
import { w } from '../words.svelte.ts'

const SEATS = 2

export async function firstRace(game: string): Promise<void> {
  const [meta] = (await cards()).filter(({ name }) => name === game)
  settings.coached = settings.coached.filter((code) => code !== 'all' && !code.startsWith(`coach.${game}.`))
  applySettings()
  const usual = usualSettings(meta!)
  await createTable({
    game,
    ...settingsSent(meta!, SEATS, { ...usual, options: { ...usual.options, ...meta!.quick_options } }),
    edition: null,
    pace_ms: 0,
    seats: [{ kind: 'me', name: settings.name || w('guest') }, { kind: 'wanderer' }],
  })
}
