/** Choices as the server lists them in short: a code of hexadecimal digits each, with the fields at fixed bits. */
import type { Action, Field, Game, Json, Message, ViewMessage } from './protocol.ts'

/** The bits of a code that say which kind of choice it is. */
const KIND_BITS = 15n

const decoded = new WeakMap<ViewMessage, ViewMessage>()

/** A view with its choices in full; as it is where they were not sent as codes or the game is not known yet. */
export function withChoices(message: ViewMessage, game: Game | null): ViewMessage {
  if (message.codes === undefined) return message
  if (!game) return { ...message, legal: [] }
  let found = decoded.get(message)
  if (!found) {
    found = {
      ...message,
      legal: message.codes
        .split(' ')
        .filter(Boolean)
        .map((code) => decode(code, game)),
    }
    decoded.set(message, found)
  }
  return found
}

/** The choice of a code. */
export function decode(digits: string, { actions, names }: Pick<Game, 'actions' | 'names'>): Action {
  const code = BigInt(`0x${digits}`)
  const kind: Message = actions.find((action) => BigInt(action.code!) === (code & KIND_BITS))!
  const fields = kind.fields.map((field) => [field.name, value(code, field, names)])
  return { kind: kind.kind, ...Object.fromEntries(fields) }
}

function value(code: bigint, field: Field, names: Game['names']): Json {
  if (field.flag) return number(code, field, 0) === 1
  if (!field.most) return named(number(code, field, 0), field, names)
  const numbers = Array.from({ length: field.most }, (_, place) => number(code, field, place))
  return numbers.filter((found) => found >= 0).map((found) => named(found, field, names))
}

/** A number of a field; place counts those of a list. Fields with `plus` are stored one higher, so that 0 is none. */
function number(code: bigint, { shift, width, plus }: Field, place: number): number {
  const at = BigInt(shift! + place * width!)
  return Number((code >> at) & ((1n << BigInt(width!)) - 1n)) - plus!
}

function named(found: number, { domain }: Field, names: Game['names']): Json {
  if (domain === null) return found
  if (found < 0) return null
  return domain === 'seat' ? found : names[domain]![found]
}
