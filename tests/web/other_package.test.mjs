// A game of another package, without a line of TypeScript, raced in a real browser at the generic table.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { awaited, cramped, flaws, openSite, ROOT } from './harness.mjs'

const site = mkdtempSync(join(tmpdir(), 'quadriga-site-'))
const options = ['--quiet', '--no-deps', '--no-index', '--no-build-isolation', '--disable-pip-version-check']
const command = ['-m', 'pip', 'install', ...options, '--target', site, join(ROOT, 'tests/toy')]
execFileSync(join(ROOT, '.venv/bin/python'), command)
const { server, person } = openSite({ environment: { PYTHONPATH: site, QUADRIGA_GAMES: 'dash' } })
after(() => rmSync(site, { recursive: true, force: true }))

test('a whole race at the generic table: text board, choices in words, log', async () => {
  const page = await person()
  await page.goto(server.url)
  await page.locator('article', { hasText: 'Dash' }).getByRole('button', { name: 'Race the bots' }).click()
  let choices = 0
  while ((await awaited(page)) === 'turn') {
    const seq = await page.locator('section.choice').getAttribute('data-seq')
    assert.match(await page.locator('.text-board').innerText(), /^[a-f]( [a-f])+$/)
    const button = page.locator('.choice li .btn').last()
    assert.match(await button.innerText(), /^(Run: pace [123]|Get up)$/)
    if (choices === 0) {
      assert.deepEqual(await flaws(page), [])
      assert.deepEqual(await cramped(page), [])
    }
    await button.click()
    choices++
    await page.waitForFunction((before) => {
      const choice = document.querySelector('section.choice')
      return (
        choice?.dataset.seq !== before ||
        choice.dataset.chosen === 'yes' ||
        document.querySelector('dialog[open] .places')
      )
    }, seq)
    await page.waitForFunction(
      (before) =>
        document.querySelector('section.choice')?.dataset.seq !== before ||
        document.querySelector('dialog[open] .places'),
      seq,
    )
  }
  assert.ok(choices >= 2, `only ${choices} choices`)
  assert.equal(await page.locator('dialog[open] .places li').count(), 2)
  assert.ok((await page.locator('.log li').count()) > 3)
  assert.match(await page.locator('.log').innerText(), /runs \d squares? to [a-f]/)
  assert.deepEqual(page.problems, [])
  await page.context().close()
})

test('the replay shows the text board of every step', async () => {
  const page = await person()
  await page.goto(server.url)
  await page
    .locator('article', { hasText: 'Dash' })
    .getByRole('button', { name: 'Watch a race of champions' })
    .click()
  await page.waitForSelector('.text-board')
  await page.waitForSelector('dialog[open] .places', { timeout: 120_000 })
  await page.goto(`${page.url().split('#')[0]}#step=1`)
  await page.waitForSelector('.bar input[type=range]')
  assert.match(await page.locator('.text-board').innerText(), /^[a-f]( [a-f])+$/)
  assert.deepEqual(page.problems, [])
  await page.context().close()
})
