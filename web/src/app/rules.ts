/** The rules pages of the package's own documentation; rules-plugin.ts renders them when the page is built. */
export interface Section {
  /** The number of the rule, such as `CH-3`; empty for sections without one. */
  id: string
  title: string
  html: string
}

const PAGES = import.meta.glob<string>('../../../docs/rules/*.md', { import: 'default', eager: true })

export async function loadRules(game: string, language: string): Promise<Section[]> {
  const page = PAGES[`../../../docs/rules/${game}${language === 'es' ? '.es' : ''}.md`]
  return page ? (await fetch(page)).json() : []
}
