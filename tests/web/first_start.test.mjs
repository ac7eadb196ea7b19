// The first start on a machine: nothing is compiled, and the page says how far it is. In both languages.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { awaited, flaws, openSite } from './harness.mjs'

const cache = mkdtempSync(join(tmpdir(), 'quadriga-cache-'))
const { server, person } = openSite({ environment: { QUADRIGA_CACHE: cache }, untilReady: false })
after(() => rmSync(cache, { recursive: true, force: true }))

for (const [language, title, words] of [
  ['en', 'Chariots', /Chariots is being compiled, once on this machine: the rules/],
  ['es', 'Charioteer', /Charioteer se está compilando, una sola vez en este equipo: las reglas/],
]) {
  test(
    `the page shows what is compiled and goes on to the race: ${language}`,
    { timeout: 300_000 },
    async () => {
      const page = await person({ language })
      await page.goto(server.url)
      const card = page.locator('article').filter({
        has: page.getByRole('heading', { name: title, exact: true }),
      })
      await card.locator('.primary').click()
      await card.locator('.preparing').waitFor({ timeout: 20_000 })
      assert.match(await card.locator('.preparing').innerText(), words)
      assert.deepEqual(await flaws(page), [])
      const bar = card.locator('progress')
      const first = Number(await bar.getAttribute('value'))
      await page.waitForFunction(
        (before) => Number(document.querySelector('article progress')?.value ?? 101) > before,
        first,
        { timeout: 60_000 },
      )
      await page.waitForURL(/\/t\//, { timeout: 240_000 })
      assert.equal(await awaited(page), 'turn')
      assert.deepEqual(page.problems, [])
      await page.context().close()
    },
  )
}
