/**
 * The drawings that the page and the pictures of Python share: src/quadriga/pictures/art. The build gathers them in
 * one file, which the page asks for as early as its script.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const FOLDER = fileURLToPath(new URL('../src/quadriga/pictures/art', import.meta.url))
const MODULE = 'virtual:art'

const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8')

/** What is drawn, without the element around it and without line ends. */
const inner = (svg: string) => svg.replace(/^\s*<svg[^>]*>|<\/svg>\s*$/g, '').replaceAll('\n', '')

/** All drawings as JSON: paths by kind and name, and whole drawings by name. */
function gather(): string {
  const drawings = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.svg'))
    .sort()
    .map((name) => [basename(name, '.svg'), inner(read(name))])
  return JSON.stringify({ ...JSON.parse(read('paths.json')), drawings: Object.fromEntries(drawings) })
}

export function art(): Plugin {
  let isBuild = true
  return {
    name: 'art',
    configResolved: ({ command }) => {
      isBuild = command === 'build'
    },
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    load(id) {
      if (id !== `\0${MODULE}`) return undefined
      if (!isBuild)
        return `export default ${JSON.stringify(`data:application/json,${encodeURIComponent(gather())}`)}`
      const file = this.emitFile({ type: 'asset', name: 'art.json', source: gather() })
      return `export default import.meta.ROLLUP_FILE_URL_${file}`
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((name) => /art-[^/]*\.json$/.test(name))
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'fetch', crossorigin: true, href: `/${name}` },
            injectTo: 'head',
          })),
    },
  }
}
