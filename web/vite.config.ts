import { svelte } from '@sveltejs/vite-plugin-svelte'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { parse } from 'smol-toml'
import { defineConfig, type Plugin } from 'vite'
import { art } from './art-plugin.ts'
import { rulesPages } from './rules-plugin.ts'

/** Text catalogues are TOML, for people and Python; here they become data, of which a browser loads one language. */
let isBuild = true
const toml: Plugin = {
  name: 'toml',
  configResolved: ({ command }) => {
    isBuild = command === 'build'
  },
  transform(code, id) {
    if (!id.endsWith('.toml')) return undefined
    const source = JSON.stringify(parse(code))
    if (!isBuild)
      return `export default ${JSON.stringify(`data:application/json,${encodeURIComponent(source)}`)}`
    const file = this.emitFile({ type: 'asset', name: `${basename(id, '.toml')}.text.json`, source })
    return { code: `export default import.meta.ROLLUP_FILE_URL_${file}`, map: null, moduleType: 'js' }
  },
}

/** The build's name, in the page and beside it, so that the server can tell an old page to reload. */
const build: Plugin = {
  name: 'build',
  enforce: 'post',
  generateBundle(_, bundle) {
    const name = createHash('sha256').update(Object.keys(bundle).sort().join()).digest('hex').slice(0, 12)
    const page = bundle['index.html']
    if (page?.type === 'asset')
      page.source = String(page.source).replace(
        '<title>',
        `<meta name="build" content="${name}" />\n    <title>`,
      )
    this.emitFile({ type: 'asset', fileName: 'build.json', source: JSON.stringify({ build: name }) })
  },
  /** What is sent often lies there small already. */
  writeBundle({ dir }, bundle) {
    for (const name of Object.keys(bundle))
      if (/\.(js|css|svg|html|json)$/.test(name))
        writeFileSync(join(dir!, `${name}.gz`), gzipSync(readFileSync(join(dir!, name)), { level: 9 }))
  },
}

/** The class that keeps a component's style to itself: its number among all, since a long hash does not compress. */
const COMPONENTS = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.svelte'))
  .sort()
const cssHash = ({ filename }: { filename: string }) =>
  `_${COMPONENTS.indexOf(relative(resolve('src'), resolve(filename))).toString(36)}`

export default defineConfig({
  plugins: [toml, art(), rulesPages(), svelte({ compilerOptions: { cssHash } }), build],
  base: '/',
  build: {
    outDir: '../src/quadriga/server/static',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    rolldownOptions: {
      input: 'index.html',
      output: { codeSplitting: { groups: [{ name: 'board', test: /src\/(app\.css|board\/)/ }] } },
    },
  },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true } }, fs: { allow: ['..'] } },
})
