import { svelte } from '@sveltejs/vite-plugin-svelte'
import { parse } from 'smol-toml'
import { defineConfig, type Plugin } from 'vite'

/** Text catalogues and editions are TOML, for people and Python; here they become plain data. */
const toml: Plugin = {
  name: 'toml',
  transform(code, id) {
    if (!id.endsWith('.toml')) return undefined
    return { code: `export default ${JSON.stringify(parse(code))}`, map: null, moduleType: 'js' }
  },
}

export default defineConfig({
  plugins: [toml, svelte()],
  base: '/',
  build: {
    outDir: '../src/quadriga/server/static',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    rolldownOptions: { input: { index: 'index.html', gallery: 'gallery.html' } },
  },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true } }, fs: { allow: ['..'] } },
})
