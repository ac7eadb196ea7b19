/** Renders the rules pages of docs/rules when the page is built, so that browsers need no Markdown. */
import { basename } from 'node:path'
import { Marked, type Token, type Tokens } from 'marked'
import type { Plugin } from 'vite'
import type { Section } from './src/app/rules.ts'

const RULE = /C[HRT]-\d+/

/** Links lead to files the page does not have, so their words remain; raw HTML is dropped. */
const marked = new Marked({
  renderer: {
    link({ tokens }: Tokens.Link) {
      return this.parser.parseInline(tokens)
    },
    html: () => '',
  },
})

function sectionsOf(markdown: string): Section[] {
  const parts: Token[][] = []
  for (const token of marked.lexer(markdown)) {
    if (token.type === 'heading') parts.push([])
    parts.at(-1)?.push(token)
  }
  return parts.map(([heading, ...body]) => {
    const title = (heading as Tokens.Heading).text
    return { id: RULE.exec(title)?.[0] ?? '', title, html: marked.parser(body) }
  })
}

/** A rules page is imported as the address of its sections, in JSON. */
export function rulesPages(): Plugin {
  let isBuild = true
  return {
    name: 'rules',
    enforce: 'pre',
    configResolved: ({ command }) => {
      isBuild = command === 'build'
    },
    transform(code, id) {
      if (!id.endsWith('.md')) return undefined
      const source = JSON.stringify(sectionsOf(code))
      if (!isBuild)
        return `export default ${JSON.stringify(`data:application/json,${encodeURIComponent(source)}`)}`
      const file = this.emitFile({ type: 'asset', name: `${basename(id, '.md')}.rules.json`, source })
      return { code: `export default import.meta.ROLLUP_FILE_URL_${file}`, map: null, moduleType: 'js' }
    },
  }
}
