import { svelte } from '@sveltejs/vite-plugin-svelte'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'
import { rulesPages } from './rules-plugin.ts'
import { wordsFiles } from './words-plugin.ts'

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
        writeFileSync(join(dir!, `${name}.gz`), gzipSync(readFileSync(join(dir!, name))))
  },
}

export default defineConfig({
  plugins: [wordsFiles(), rulesPages(), svelte(), build],
  base: '/',
  build: {
    outDir: '../src/quadriga/server/static',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    rolldownOptions: { input: { index: 'index.html', gallery: 'gallery.html' } },
  },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true } }, fs: { allow: ['..'] } },
})
