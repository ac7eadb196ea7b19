// Analysis after a race and in its replay, the coach, and the bar of chances, in both languages.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { againstBots, awaited, flaws, openBrowser, person, Server } from './harness.mjs'

const LAPTOP = { viewport: { width: 1366, height: 768 } }
const server = new Server({ QUADRIGA_ANALYSIS_DEPTH: 'quick', QUADRIGA_EVALUATIONS_PER_MINUTE: '6000' })
let browser

before(async () => {
  await server.start()
  browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  await server.stop()
})

/** A request as the page would make it. */
const ask = (page, method, path, body) =>
  page.evaluate(
    async ([how, where, what]) => {
      const headers = what ? { 'Content-Type': 'application/json' } : {}
      const answer = await fetch(`/api${where}`, { method: how, headers, body: what && JSON.stringify(what) })
      return { status: answer.status, ...(await answer.json()) }
    },
    [method, path, body],
  )

/** Make the first listed choice until the race is over. */
async function playThrough(page, table) {
  for (;;) {
    const { seq, to_act, chosen, legal, result } = await ask(page, 'GET', `/tables/${table}/view?seat=0`)
    if (result) return
    if (to_act.includes(0) && !chosen.includes(0))
      await ask(page, 'POST', `/tables/${table}/commands`, { type: 'choose', seat: 0, seq, action: legal[0] })
    else await page.waitForTimeout(30)
  }
}

/** A race that I lost, or won, by the first choice that came to mind. */
async function finished(page, game, options) {
  const table = await againstBots(page, server.url, game, options, 3)
  await playThrough(page, table)
  return table
}

/** Wait until the processes that advise have started. */
async function warm(page, table) {
  while ((await ask(page, 'GET', `/tables/${table}/evaluation`)).status !== 200)
    await page.waitForTimeout(500)
}

const numbers = (cells) => cells.map((text) => Number(text.replace('−', '-').replace(',', '.')))
const isCostly = ({ grade }) => !['best', 'good'].includes(grade)

/** The panel after the race: asked for, its progress, its figures, and my costly choices in words. */
async function readPanel(page, panel, language, analysis) {
  assert.equal(await panel.locator('polygon').count(), 3)
  for (const row of await panel.locator('tbody tr').all()) {
    const [start, skill, luck, rivals, result] = numbers(await row.locator('td').allInnerTexts())
    assert.ok(Math.abs(start + skill + luck + rivals - result) < 0.3, 'the shown parts add up')
  }
  assert.ok((await panel.locator('.moments li').count()) > 2)
  const costly = analysis.decisions.filter((decision) => decision.seat === 0 && isCostly(decision))
  const [worst] = costly.toSorted((a, b) => b.cost - a.cost)
  assert.ok(worst, 'the first choice that comes to mind costs something')
  const said = await panel.locator('.card').first().innerText()
  assert.match(said, language === 'en' ? /Better:/ : /Mejor:/)
  assert.ok(said.includes(worst.why[language]), `${said} says why`)
  const shown = await panel.innerText()
  for (const { choice, candidates } of analysis.decisions.filter(isCostly))
    for (const notation of [choice, candidates[0].choice])
      if (notation.includes('+')) assert.ok(!shown.includes(notation), `${notation} is in words`)
  assert.deepEqual(await flaws(page), [])
  return worst
}

/** The replay at a choice: what was better is drawn, the bar tells the chances. */
async function readReplay(page, language, { step, candidates }) {
  await page.waitForFunction((at) => location.hash === `#step=${at}`, step - 1)
  const card = page.locator('.analysis .card', { hasText: language === 'en' ? 'Better' : 'Mejor' }).first()
  await card.waitFor()
  const { cards, coins } = candidates[0].action
  if (cards ?? coins) assert.ok((await card.locator('.row svg').count()) > 0, 'what was better is drawn')
  assert.match(await page.locator('.evaluation').getAttribute('aria-label'), /\d+ %/)
  assert.deepEqual(await flaws(page), [])
}

for (const [game, options, language] of [
  ['chariots', { laps: 1 }, 'en'],
  ['charioteer', { laps: 1 }, 'es'],
  ['chariot_race', {}, 'es'],
])
  test(`${game}, ${language}: what a race teaches, after it and in its replay`, async () => {
    const page = await person(browser, { language }, LAPTOP)
    const table = await finished(page, game, options)
    await page.goto(`${server.url}/t/${table}`)
    const panel = page.locator('dialog[open] section.analysis')
    await panel.locator('progress').waitFor() // without a click: I drove in it
    await page.locator('dialog[open] [data-state="done"]').waitFor({ timeout: 300_000 })
    const { analysis } = await ask(page, 'GET', `/tables/${table}/analysis`)
    const worst = await readPanel(page, panel, language, analysis)
    await panel.locator('.btn').first().click()
    await readReplay(page, language, worst)
    await page.locator('.analysis select').selectOption('anew')
    await page.locator('.analysis .row:last-child .btn').first().click()
    await page.waitForFunction((old) => !location.pathname.endsWith(old), table)
    assert.equal(await awaited(page), 'turn', 'I play on against bots')
    assert.deepEqual(page.problems, [])
    await page.context().close()
  })

/** Lay slow coins and press the button: the coach warns. */
async function laySlowly(page) {
  for (const coin of ['2', '3', '4']) await page.locator(`button.coin[data-coin="${coin}"]`).click()
  await page.locator('.choice .btn.primary').click()
  const warning = page.locator('.hint.warns')
  await warning.waitFor()
  return warning
}

const hasGoneOn = (page) => page.waitForFunction(() => document.querySelector('.choice')?.dataset.seq !== '0')

/** Switch the coach on in the menu; the switch is kept. */
async function switchOn(page, table, language) {
  const more = page.getByRole('button', { name: language === 'en' ? 'More' : 'Más', exact: true })
  const coach = page.locator('.sheet [aria-pressed]')
  await more.click()
  assert.equal(await coach.getAttribute('aria-pressed'), 'false')
  await coach.click()
  await warm(page, table)
  await page.reload()
  await awaited(page)
  await more.click()
  assert.equal(await coach.getAttribute('aria-pressed'), 'true', 'the switch is kept')
  await more.click()
}

for (const language of ['en', 'es'])
  test(`${language}: the coach warns before a costly choice, and counts what was learnt`, async () => {
    const page = await person(browser, { language }, LAPTOP)
    const table = await againstBots(page, server.url, 'chariots', { laps: 1 }, 3)
    await page.goto(`${server.url}/t/${table}`)
    await awaited(page)
    await switchOn(page, table, language)
    const warning = await laySlowly(page)
    const said =
      language === 'en' ? /This costs \d+ %.*Better: Lay/s : /Esto cuesta un \d+ %.*Mejor: Colocar/s
    assert.match((await warning.innerText()).replace(/\s+/g, ' '), said)
    const laid = (await page.locator('.slot .sr').allInnerTexts()).join().match(/\d/g)
    assert.notDeepEqual(laid, ['1', '2', '2', '3', '3', '4'], 'the better coins are laid out')
    assert.equal(
      (await ask(page, 'GET', `/tables/${table}/view?seat=0`)).choice,
      null,
      'nothing is chosen yet',
    )
    await page.waitForTimeout(400) // buttons come back from being disabled
    assert.deepEqual(await flaws(page), [])
    await warning.locator('.btn.primary').click()
    await warning.waitFor({ state: 'detached' })
    await hasGoneOn(page)
    const { coached } = await ask(page, 'GET', `/tables/${table}`)
    assert.deepEqual([coached.looked, coached.warned, coached.heeded], [1, 1, 1])
    assert.ok(coached.saved > 0.02)
    await ask(page, 'POST', `/tables/${table}/commands`, { type: 'resign', seat: 0 })
    await page.locator('dialog[open] .coached').waitFor()
    assert.match(await page.locator('.coached').innerText(), /: 1\. .*: 1; .*: 1\./)
    await page.goto(`${server.url}/races`)
    await page
      .getByRole('heading', { name: language === 'en' ? 'With the coach' : 'Con el entrenador' })
      .waitFor()
    assert.deepEqual(await flaws(page), [])
    assert.deepEqual(page.problems, [])
    await page.context().close()
  })

test('whoever keeps a choice in spite of the coach makes it', async () => {
  const page = await person(browser, { coach: 0.02 }, LAPTOP)
  const table = await againstBots(page, server.url, 'chariots', { laps: 1 }, 3)
  await warm(page, table)
  await page.goto(`${server.url}/t/${table}`)
  await awaited(page)
  await laySlowly(page)
  await page.getByRole('button', { name: 'Keep my choice' }).click()
  await hasGoneOn(page)
  const { choices } = await ask(page, 'GET', `/tables/${table}/steps?since=0&seat=0`)
  assert.deepEqual(choices['1']['0'].coins, ['2', '3', '4'])
  const { coached } = await ask(page, 'GET', `/tables/${table}`)
  assert.deepEqual([coached.warned, coached.heeded], [1, 0])
  await page.context().close()
})

test('against people there is no coach, and watchers of people see no bar', async () => {
  const [ana, ben, watcher] = await Promise.all([0, 1, 2].map(() => person(browser, { coach: 0.02 }, LAPTOP)))
  const table = await againstBots(ana, server.url, 'chariots', { laps: 1 }, 2)
  await watcher.goto(`${server.url}/t/${table}`)
  await watcher.waitForSelector('.piece')
  await ben.goto(server.url)
  await ask(ben, 'POST', '/guests', { name: 'Ben' })
  const made = await ask(ana, 'POST', '/tables', {
    game: 'chariots',
    seats: [{ kind: 'me' }, { kind: 'open' }],
  })
  const both = made.table.id
  await ask(ben, 'POST', `/tables/${both}/commands`, { type: 'claim' })
  await ask(ana, 'POST', `/tables/${both}/commands`, { type: 'start' })
  await ana.goto(`${server.url}/t/${both}`)
  await awaited(ana)
  await ana.getByRole('button', { name: 'More', exact: true }).click()
  await ana.getByRole('button', { name: 'Resign' }).waitFor()
  assert.equal(await ana.locator('.sheet [aria-pressed]').count(), 0)
  assert.equal(await watcher.locator('.evaluation').count(), 0)
  assert.equal((await ask(watcher, 'GET', `/tables/${table}/evaluation`)).status, 403)
  for (const page of [ana, ben, watcher]) await page.context().close()
})

for (const [language, options] of [
  ['en', LAPTOP],
  ['es', { viewport: { width: 390, height: 844 }, hasTouch: true }],
])
  test(`${language}: whoever watches bots sees the chances, and nothing jumps`, async () => {
    const page = await person(browser, { language, speed: 1 }, options)
    await page.goto(server.url)
    await ask(page, 'POST', '/guests', { name: 'Ana' })
    const seats = ['novice', 'greedy', 'wanderer'].map((kind) => ({ kind }))
    const { table } = await ask(page, 'POST', '/tables', { game: 'chariots', seats, pace_ms: 1500 })
    await ask(page, 'POST', `/tables/${table.id}/commands`, { type: 'start' })
    await warm(page, table.id)
    await page.addInitScript(() => {
      window.shift = 0
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shift += value
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto(`${server.url}/t/${table.id}`)
    const bar = page.locator('.evaluation')
    await page.locator('.evaluation[aria-label*="%"]').waitFor()
    const label = await bar.getAttribute('aria-label')
    assert.match(label, language === 'en' ? /^Chances to win/ : /^Probabilidad de ganar/)
    const sum = label.match(/\d+(?= %)/g).reduce((all, percent) => all + Number(percent), 0)
    assert.ok(Math.abs(sum - 100) <= 2, label)
    await page.waitForFunction((old) => document.querySelector('.evaluation').ariaLabel !== old, label)
    const shift = await page.evaluate(() => window.shift)
    assert.ok(shift < 0.1, `layout shift ${shift}`)
    assert.deepEqual(await flaws(page), [])
    assert.deepEqual(page.problems, [])
    await page.context().close()
  })
