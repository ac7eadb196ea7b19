// Lessons on the real board, in a real browser against a real server, in both languages.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clicking, cramped, flaws, keying, openBrowser, person, Server } from './harness.mjs'

const server = new Server()
let browser

before(async () => {
  await server.start()
  browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  await server.stop()
})

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const card = (page) => page.locator('.bar [role=status]').first()
const next = (page) => page.locator('.bar section a.btn.primary')

/** What a lesson asks and accepts, found out by a wrong choice, as anybody could. */
const lookUp = (page, game, name) =>
  page.evaluate(
    async ([of, lesson]) => {
      const path = `/api/practice/lessons/${of}/${lesson}`
      const begun = await fetch(path).then((answer) => answer.json())
      for (const action of begun.view.legal) {
        const body = JSON.stringify({ action, choices: [] })
        const headers = { 'Content-Type': 'application/json' }
        const answer = await fetch(path, { method: 'POST', headers, body }).then((found) => found.json())
        if (!answer.right) return { ...begun, wrong: action, solution: answer.solution, not_yet: answer.say }
      }
      throw new Error('every choice is right')
    },
    [game, name],
  )

const lessonsOf = (page, game) =>
  page.evaluate(
    async (of) => (await fetch(`/api/lessons/${of}`).then((answer) => answer.json())).lessons,
    game,
  )

/** A target on the board of Chariots by its square, in either language. */
function square(page, name, kind = '') {
  const [column, row] = name.split(',')
  const label = new RegExp(`(column|columna) ${column}, (row|fila) ${row.replace('.5', '½')}(,|$)`)
  return page.locator(`.target${kind}`).and(page.getByLabel(label))
}

async function drive(page, act, { kind, coins, to, null: coin, pushed_to: pushed }) {
  if (kind === 'plot') {
    for (const speed of coins) await act(page, page.locator(`button.coin[data-coin="${speed}"]`).first())
    return act(page, page.locator('.choice .btn.primary').first())
  }
  const spent = (coin && /Null coin|Moneda nula/) || (pushed && /Ace coin|^As/)
  const toggle = spent && page.getByRole('button', { name: spent })
  if (toggle && (await toggle.isEnabled())) await act(page, toggle) // it is on where there is no other way
  await act(page, square(page, to).first())
  if (pushed) await act(page, square(page, pushed, '.push').first())
}

for (const [language, act] of [
  ['en', clicking],
  ['es', keying],
]) {
  test(`the course of Chariots in ${language}, from its first lesson to a first race`, async () => {
    const page = await person(browser, { language })
    await page.goto(`${server.url}/learn/chariots`)
    await page.locator('main a.btn.primary').click()
    const lessons = await lessonsOf(page, 'chariots')
    for (const [number, { name, title, done }] of lessons.entries()) {
      assert.equal(done, false)
      await page.waitForURL(`**/learn/chariots/${name}`)
      const { ask, solution } = await lookUp(page, 'chariots', name)
      await card(page).getByText(ask[language]).waitFor()
      assert.ok((await page.locator('.status').textContent()).includes(title[language]))
      await page.locator('section.choice .panel').waitFor()
      await drive(page, act, solution)
      await next(page).waitFor()
      assert.deepEqual(await flaws(page), [])
      assert.equal(await next(page).evaluate((link) => link === document.activeElement), true)
      await page.waitForFunction(
        async ([at]) => (await fetch('/api/lessons/chariots').then((a) => a.json())).lessons[at].done,
        [number],
      )
      await page.keyboard.press('Enter')
    }
    await page.waitForURL('**/learn/chariots')
    await page.reload()
    await page
      .locator('li .mark')
      .nth(lessons.length - 1)
      .waitFor()
    assert.deepEqual(await flaws(page), [])
    await page.locator('main button.btn.primary').click()
    await page.waitForURL('**/t/*')
    await page.locator('.coach').waitFor()
    assert.deepEqual(page.problems, [])
    await page.context().close()
  })
}

for (const language of ['en', 'es']) {
  test(`a wrong choice is told why, shown how, and the right one goes on, in ${language}`, async () => {
    const page = await person(browser, { language })
    await page.goto(`${server.url}/learn/charioteer/01-a-move`)
    const { not_yet: notYet } = await lookUp(page, 'charioteer', '01-a-move')
    await page.locator('.idea').nth(1).waitFor()
    await page.locator('.idea').nth(1).click()
    await page.locator('.go').click()
    await card(page).getByText(notYet[language]).waitFor()
    assert.equal(await page.locator('.bar .wrong').count(), 1)
    await page.getByRole('button', { name: language === 'en' ? 'Show me' : 'Muéstramelo' }).click()
    await page.locator('.go').click()
    await next(page).waitFor()
    assert.equal(await page.locator('.bar .wrong').count(), 0)
    await page
      .getByRole('button', { name: language === 'en' ? 'Once more' : 'Otra vez' })
      .first()
      .click()
    await page.locator('.idea').first().waitFor()
    assert.equal(await next(page).count(), 0)
    assert.deepEqual(page.problems, [])
    await page.context().close()
  })

  test(`a lesson of Chariot Race with a drive of several steps, in ${language}`, async () => {
    const page = await person(browser, { language })
    await page.goto(`${server.url}/learn/chariot_race/04-corners`)
    const harmless = page.locator('.target:not([aria-label*=" damage 2"]):not([aria-label*="daño 2"])')
    await harmless.first().waitFor()
    await clicking(page, harmless.first())
    await page.locator('.choice .go').click()
    await next(page).waitFor()
    await page.context().close()
  })
}

for (const game of ['chariots', 'chariot_race', 'charioteer'])
  test(`every lesson of ${game} fits a phone by night and a laptop by day, without flaws`, async () => {
    for (const [options, settings] of [
      [PHONE, { language: 'es', theme: 'dark' }],
      [{ viewport: { width: 1366, height: 768 } }, { language: 'en', theme: 'light' }],
    ]) {
      const page = await person(browser, settings, options)
      await page.goto(server.url)
      for (const { name } of await lessonsOf(page, game)) {
        await page.goto(`${server.url}/learn/${game}/${name}`)
        await page.locator('section.choice .panel').waitFor()
        await page.locator('main > .board .piece').first().waitFor()
        assert.deepEqual(await flaws(page), [], name)
        const small = (await cramped(page)).filter((one) => options === PHONE || one.startsWith('page '))
        assert.deepEqual(small, [], name)
        const { height } = await page.locator('main > .board').boundingBox()
        assert.ok(height >= 180, `${name}: the board is ${height} high`)
      }
      assert.deepEqual(page.problems, [])
      await page.context().close()
    }
  })

test('lessons are reached from home and from a new table', async () => {
  const page = await person(browser)
  await page.goto(server.url)
  await page
    .getByRole('button', { name: /Learn it/ })
    .first()
    .click()
  await page.waitForURL('**/learn/*')
  await page.goto(`${server.url}/new/chariots#mode=friends`)
  await page.locator('form a[href="/learn/chariots"]').click()
  await page.waitForURL('**/learn/chariots')
  await page.locator('ol.panel a').first().waitFor()
  await page.context().close()
})
