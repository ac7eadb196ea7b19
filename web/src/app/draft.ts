import type { Json } from './protocol.ts'

/** The draft a stored text holds, if it is one. */
export function isDraft(text: string | null): Record<string, Json> | null {
  if (!text) return null
  try {
    const found: unknown = JSON.parse(text)
    return typeof found === 'object' && found !== null && !Array.isArray(found)
      ? (found as Record<string, Json>)
      : null
  } catch {
    return null
  }
}
