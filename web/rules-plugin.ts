/** Renders the rules pages of docs/rules when the page is built, so that browsers need no Markdown. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Marked, type Token, type Tokens } from 'marked'
import { parse } from 'smol-toml'
import type { Plugin } from 'vite'
import type { Picture, Section } from './src/app/rules.ts'

const RULE = /C[HRT]-\d+/
const TEXT = /(<[^>]*>)|([^<]+)/g
const PICTURES = fileURLToPath(new URL('rules/pictures.toml', import.meta.url))
type Captioned = Omit<Picture, 'caption'> & Record<string, string>

/**
 * Links lead to files the page does not have, so their words remain; raw HTML and boards drawn with letters, of
 * which the page has pictures, are dropped, and so is the way to the page in the other language.
 */
const marked = new Marked({
  renderer: {
    link({ tokens }: Tokens.Link) {
      return this.parser.parseInline(tokens)
    },
    html: () => '',
    code: () => '',
    paragraph({ tokens }: Tokens.Paragraph) {
      const isLink = tokens.length === 1 && tokens[0]!.type === 'link'
      return isLink ? '' : `<p>${this.parser.parseInline(tokens)}</p>\n`
    },
  },
})

/** Numbers of rules are small, and what we have decided ourselves is marked. */
const decorate = (html: string, isRule: boolean) =>
  html.replace(TEXT, (_, tag?: string, text = '') => {
    if (tag) return tag
    const small = text.replace(/\bC[HRT]-\d+/g, '<small class="no">$&</small>')
    return isRule ? small.replace(/\b(ruling|decisión)(?![\wáéíóú])/gi, '<em class="ruling">$1</em>') : small
  })

function sectionsOf(markdown: string, pictures: (rule: string) => Picture[]): Section[] {
  const parts: Token[][] = []
  for (const token of marked.lexer(markdown)) {
    if (token.type === 'heading') parts.push([])
    parts.at(-1)?.push(token)
  }
  return parts.map(([heading, ...body]) => {
    const { text } = heading as Tokens.Heading
    const id = RULE.exec(text)?.[0] ?? ''
    const title = text.replace(RULE, '').trim()
    return { id, title, html: decorate(marked.parser(body), id !== ''), pictures: pictures(id) }
  })
}

/** The pictures of a rule, with the words of a language. */
function picturesOf(game: string, language: 'en' | 'es'): (rule: string) => Picture[] {
  const all = parse(readFileSync(PICTURES, 'utf8')) as unknown as Record<string, Record<string, Captioned[]>>
  return (rule) =>
    (all[game]?.[rule] ?? []).map(({ en, es, ...drawn }) => ({ ...drawn, caption: { en, es }[language]! }))
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
      this.addWatchFile(PICTURES)
      const [game, language] = basename(id, '.md').split('.')
      const source = JSON.stringify(sectionsOf(code, picturesOf(game!, language === 'es' ? 'es' : 'en')))
      if (!isBuild)
        return `export default ${JSON.stringify(`data:application/json,${encodeURIComponent(source)}`)}`
      const file = this.emitFile({ type: 'asset', name: `${basename(id, '.md')}.rules.json`, source })
      return { code: `export default import.meta.ROLLUP_FILE_URL_${file}`, map: null, moduleType: 'js' }
    },
  }
}
