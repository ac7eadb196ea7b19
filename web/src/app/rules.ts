/** The rules pages of the package's own documentation; rules-plugin.ts renders them when the page is built. */
export interface Section {
  /** The number of the rule, such as `CH-3`; empty for sections without one. */
  id: string
  title: string
  html: string
  pictures: Picture[]
}
/** An example of a rule, drawn with the game's own things; web/rules/pictures.toml has them. */
export interface Picture {
  caption: string
  cards?: string[]
  tokens?: string[]
  coins?: string[]
  dice?: string[]
  sum?: string
  /** Where chariots stand on the board. */
  place?: Record<string, string | number>
  /** Spaces that are lit. */
  lit?: string[]
  /** Whether the whole track is shown. */
  whole?: boolean
}

const PAGES = import.meta.glob<string>('../../../docs/rules/*.md', { import: 'default', eager: true })

export async function loadRules(game: string, language: string): Promise<Section[]> {
  const page = PAGES[`../../../docs/rules/${game}${language === 'es' ? '.es' : ''}.md`]
  return page ? (await fetch(page)).json() : []
}

/** A text with what is searched for marked, in HTML; tags and the names of letters (`&amp;`) are left alone. */
export function markHits(html: string, wanted: string): string {
  if (!wanted) return html
  const escaped = wanted.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/[<>&]/g, '')
  if (!escaped) return html
  const pattern = new RegExp(`(<[^>]*>|&\\w+;|&#\\d+;)|(${escaped})`, 'gi')
  return html.replace(pattern, (_, other?: string, hit?: string) => other ?? `<mark>${hit}</mark>`)
}
