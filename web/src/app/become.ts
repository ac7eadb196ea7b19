/** Views that are watched are changed, not replaced: only what differs is drawn anew. */
import type { View } from './protocol.ts'

const isTable = (value: unknown): value is View => typeof value === 'object' && value !== null

/** Make a watched view equal to another, which stays as it is. */
export function become(view: View, other: View): void {
  for (const key of Object.keys(view)) if (!(key in other)) delete view[key]
  for (const [key, value] of Object.entries(other)) {
    const known: unknown = view[key]
    if (isTable(value) && isTable(known) && alike(value, known)) become(known, value)
    else if (known !== value) view[key] = structuredClone(value)
  }
}

/** Both lists of a length, or both tables. */
function alike(one: View, other: View): boolean {
  return Array.isArray(one) ? Array.isArray(other) && one.length === other.length : !Array.isArray(other)
}
