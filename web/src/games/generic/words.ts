/** Choices in words, from the game's own catalogue. */
import type { Action, Field, Game } from '../../app/protocol.ts'
import type { Words } from '../../app/words.svelte.ts'

const isSaid = (value: unknown) =>
  value !== null && value !== false && !(Array.isArray(value) && value.length === 0)

/** The name of a choice and its parts: `Run: pace 2`. */
export function choiceInWords(action: Action, game: Game, words: Words, names: readonly string[]): string {
  const fields = game.actions.find((known) => known.kind === action.kind)?.fields ?? []
  const parts = fields
    .filter((field) => isSaid(action[field.name]))
    .map((field) => partInWords(field, action, words))
  const name = words.message('actions', action, game, names)
  return parts.length ? `${name}: ${parts.join(', ')}` : name
}

function partInWords(field: Field, action: Action, words: Words): string {
  const value = action[field.name]
  if (value === true) return field.name
  const values = (Array.isArray(value) ? value : [value]).map((one) => nameOf(field, one, words))
  return `${field.name} ${values.join(' ')}`
}

const nameOf = (field: Field, value: unknown, words: Words) =>
  field.domain === null ? String(value) : words.name(field.domain, String(value))
