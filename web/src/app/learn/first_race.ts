/** A short real race against the weakest bots, one chariot each, with the tips of the table switched on again. */
import { cards, createTable, settingsSent, usualSettings } from '../create.ts'
import { applySettings, settings } from '../settings.svelte.ts'
import { w } from '../words.svelte.ts'

/** With so many players nobody drives two chariots. */
const SEATS = 4
const BEGINNER = 'wanderer'

export async function firstRace(game: string): Promise<void> {
  const [meta] = (await cards()).filter(({ name }) => name === game)
  settings.coached = settings.coached.filter((code) => code !== 'all' && !code.startsWith(`coach.${game}.`))
  applySettings()
  const usual = usualSettings(meta!)
  const short = meta!.options.some(({ name }) => name === 'laps') ? { laps: 1 } : {}
  await createTable({
    game,
    ...settingsSent(meta!, SEATS, { ...usual, options: { ...usual.options, ...short } }),
    edition: null,
    pace_ms: 0,
    seats: [
      { kind: 'me', name: settings.name || w('guest') },
      ...Array.from({ length: SEATS - 1 }, () => ({ kind: BEGINNER })),
    ],
  })
}
