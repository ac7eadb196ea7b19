// Choosing, names and sitting down, in a real browser against a real server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { againstBots, awaited, flaws, openSite, race } from './harness.mjs'

const { server, person } = openSite()

const LONG = 'Maximiliana von Hohenzollern-Sigmar' // as long as names get
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }
/** What chariots and factions are called in the rules, and players never are. */
const CODE_NAMES = /Suns|Moons|Crowns|Arms|Russata|Albata|Veneta|Prasina|Aurata|Purpurea|Green|Purple|Brown/

const api = (page, path) => page.evaluate((to) => fetch(`/api${to}`).then((answer) => answer.json()), path)
const tableOf = (page) => api(page, `/tables/${new URL(page.url()).pathname.slice(3)}`)

/** On to a drive of Chariot Race. */
async function toPhase(page, text) {
  for (let i = 0; i < 40; i++) {
    if ((await awaited(page)) !== 'turn') return false
    if (await page.locator('.choice').getByText(text).count()) return true
    await race(page, 'chariot_race', { until: (choices) => choices === 1 })
  }
  return false
}

for (const [game, options, seats] of [
  ['chariots', { laps: 1 }, 2],
  ['chariot_race', {}, 3],
]) {
  test(`${game}: a player has one name in log, panel and board, with the emblem`, async () => {
    const page = await person()
    const table = await againstBots(page, server.url, game, options, seats)
    await page.goto(`${server.url}/t/${table}`)
    await race(page, game, { until: (choices) => choices === 6 })
    await awaited(page)
    const log = await page.locator('.log').textContent()
    assert.doesNotMatch(log, CODE_NAMES)
    assert.match(log, /Ana I\b[^I]/)
    assert.match(log, /Ana II\b/)
    assert.match(log, /Diocles II?\b/)
    assert.ok((await page.locator('.log .who svg').count()) > 5)
    assert.doesNotMatch(await page.locator('.choice h2').innerText(), CODE_NAMES)
    for (const piece of await page.locator('.piece').all())
      assert.match(await piece.getAttribute('aria-label'), /^(Ana|Diocles|Crescens) II?, on /)
    await page.context().close()
  })
}

test('a line of the log lights up and labels the places it names, for the mouse and for keys', async () => {
  const page = await person()
  const table = await againstBots(page, server.url, 'chariot_race', {}, 2)
  await page.goto(`${server.url}/t/${table}`)
  await awaited(page)
  const line = page.locator('.log li', { hasText: /starts from place \d, (outer|middle|inner) \d/ }).last()
  const named = await line.locator('.where').allInnerTexts()
  assert.equal(named.length, 1)
  const lit = () => page.locator('.marked text').allTextContents()
  await line.hover()
  assert.deepEqual((await lit()).toSorted(), named.toSorted())
  await page.mouse.move(5, 5)
  assert.deepEqual(await lit(), [])
  await page.locator('.log').focus()
  for (let i = 0; i < 40 && !(await lit()).length; i++) await page.keyboard.press('ArrowUp')
  assert.ok((await lit()).length, 'the arrow keys walk through the log')
  await page.context().close()
})

async function takeBack(page) {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('button', { name: 'Take my last choice back' }).click()
  await page.locator('.log li', { hasText: 'A choice was taken back.' }).last().waitFor()
}

test('what was taken back is struck out in the log', async () => {
  const page = await person()
  const table = await againstBots(page, server.url, 'chariot_race', {}, 2)
  await page.goto(`${server.url}/t/${table}`)
  const struck = page.locator('.log li.undone')
  assert.ok(await toPhase(page, /speed up by|slow down by/))
  await race(page, 'chariot_race', { until: (choices) => choices === 1 })
  await awaited(page)
  assert.equal(await struck.count(), 0)
  await takeBack(page)
  assert.ok((await struck.count()) > 0)
  assert.match(await struck.last().innerText(), /Taken back:/)
  assert.equal(await page.locator('.log li:last-child.undone').count(), 0)
  await page.context().close()
})

test('Chariot Race: a drive is taken back as a whole', async () => {
  const page = await person()
  const table = await againstBots(page, server.url, 'chariot_race', {}, 2)
  await page.goto(`${server.url}/t/${table}`)
  const phase = /[2-9] spaces to drive/
  assert.ok(await toPhase(page, phase))
  const chariot = page.locator('.piece:has(ellipse.halo)')
  const from = await chariot.getAttribute('aria-label')
  await race(page, 'chariot_race', { until: (choices) => choices === 1 })
  await awaited(page)
  await takeBack(page)
  await page.locator('.choice').getByText(phase).waitFor()
  assert.equal(await chariot.getAttribute('aria-label'), from)
  await page.context().close()
})

test('Charioteer says why cards do not go together, whips too, and sorts its list as it says', async () => {
  const page = await person()
  const isWhip = (card) => card === 'whip'
  let hand = []
  for (let i = 0; i < 60 && !hand.some(isWhip); i++) {
    const table = await againstBots(page, server.url, 'charioteer', { laps: 1 })
    ;({ hand } = (await api(page, `/tables/${table}/view`)).view)
    await page.goto(`${server.url}/t/${table}`)
  }
  await page.locator('.idea').first().waitFor()
  const cards = page.locator('.held:not(.crowd)')
  const says = page.locator('.choice .apart')
  for (const first of [hand.findIndex(isWhip), hand.findIndex((card) => !isWhip(card))]) {
    await page.reload()
    await page.locator('.idea').first().waitFor()
    if (await page.locator('.held.up').count()) await page.getByRole('button', { name: 'Clear' }).click()
    await cards.nth(first).click()
    const other = page.locator('.held.dim:not(.crowd)').first()
    if (!(await other.count())) continue
    await other.click()
    await says.waitFor()
    const why = isWhip(hand[first])
      ? /needs two cards with .* a whip does not count/
      : /the same colour and number/
    assert.match(await says.innerText(), why)
    assert.equal(await page.locator('.held.up').count(), 1, 'the card clicked last is picked')
  }
  await page.context().close()
})

test('Charioteer: on a laptop all of a choice is in sight, with cards to throw away, too', async () => {
  const page = await person({}, { viewport: { width: 1366, height: 768 } })
  const table = await againstBots(page, server.url, 'charioteer', { laps: 1 }, 4)
  await page.goto(`${server.url}/t/${table}`)
  await awaited(page)
  await page.locator('.idea').first().click()
  await page.getByRole('button', { name: /^discard/ }).click()
  await page.locator('.details .btn').first().click()
  const cut = await page
    .locator('.making')
    .evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)
  assert.ok(cut <= 1, `${cut} pixels are cut off`)
  await page.context().close()
})

test('Charioteer sorts its list of moves as it says', async () => {
  const page = await person()
  const table = await againstBots(page, server.url, 'charioteer', { laps: 1 })
  await page.goto(`${server.url}/t/${table}`)
  await page.getByText('Moves by kind, the furthest first').waitFor()
  const groups = await page
    .locator('.ideas section')
    .evaluateAll((found) =>
      found.map((group) => [...group.querySelectorAll('.idea b')].map((b) => +b.textContent)),
    )
  for (const group of groups)
    assert.deepEqual(
      group,
      group.toSorted((a, b) => b - a),
    )
  assert.deepEqual(
    groups.map(([best]) => best),
    groups.map(([best]) => best).toSorted((a, b) => b - a),
  )
  await page.context().close()
})

test('Chariot Race: a pace says in words what it brings', async () => {
  const page = await person()
  for (let tries = 0; tries < 5; tries++) {
    const table = await againstBots(page, server.url, 'chariot_race', {}, 2)
    await page.goto(`${server.url}/t/${table}`)
    if (!(await toPhase(page, /speed up by|slow down by/))) continue
    for (const text of await page.locator('.pace').allInnerTexts()) {
      assert.match(text, /\d+ spaces?/)
      assert.match(text, /speed up by \d|slow down by \d|as fast as now/)
      assert.match(text, /without damage|at least \d+ damage|would wreck you/)
      assert.doesNotMatch(text, /[+−-]\d|costs/)
    }
    return page.context().close()
  }
  assert.fail('no pace was asked for in five races')
})

test('Chariot Race: dice that are rolled again roll where they lie, and the panel stays', async () => {
  const page = await person({ speed: 0.5 })
  const table = await againstBots(page, server.url, 'chariot_race', {}, 4)
  await page.goto(`${server.url}/t/${table}`)
  await page
    .locator('button.die')
    .first()
    .or(page.locator('.choice .btn.primary'))
    .first()
    .waitFor({ timeout: 120_000 })
  if (!(await page.locator('button.die').count())) await page.locator('.choice .btn.primary').click()
  await page.locator('button.die').nth(1).waitFor({ timeout: 120_000 })
  await page.evaluate(() => (document.querySelector('button.die').kept = true))
  await page.locator('button.die').nth(1).click()
  await page.getByRole('button', { name: 'Roll 1 die again' }).click()
  await page.locator('button.die .rolling').waitFor()
  const seen = await page.evaluate(() => ({
    rolling: [...document.querySelectorAll('button.die')].map((die) => !!die.querySelector('.rolling')),
    kept: document.querySelector('button.die').kept,
  }))
  assert.ok(seen.kept, 'the same panel')
  assert.deepEqual(seen.rolling.slice(0, 2), [false, true])
  await page.locator('button.die .rolling').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Keep these dice' }).waitFor()
  assert.ok(await page.evaluate(() => document.querySelector('button.die').kept))
  assert.deepEqual(page.problems, [])
  await page.context().close()
})

test('Chariot Race: one hint is one whole drive', async () => {
  const page = await person()
  for (let tries = 0; tries < 5; tries++) {
    const table = await againstBots(page, server.url, 'chariot_race', {}, 4)
    await page.goto(`${server.url}/t/${table}`)
    if (!(await toPhase(page, /[2-9] spaces to drive/))) continue
    await page.locator('.hintbtn').click()
    const end = await page.locator('.hint .where').innerText()
    assert.equal(await page.locator('.way strong').innerText(), `To ${end}`)
    assert.equal(await page.locator('.marked text').textContent(), end)
    await page.getByRole('button', { name: 'Do it' }).click()
    await page.waitForFunction(() => !/to drive/.test(document.querySelector('.choice')?.textContent))
    return page.context().close()
  }
  assert.fail('no drive of several spaces in five races')
})

test('Chariots: squares are said in words, those behind look different and ask first', async () => {
  const page = await person()
  const table = await againstBots(page, server.url, 'chariots', { laps: 1, two_chariots: false })
  await page.goto(`${server.url}/t/${table}`)
  const back = page.locator('.target.back')
  for (let i = 0; i < 30 && !(await back.count()); i++)
    await race(page, 'chariots', { until: (choices) => choices === 1 })
  for (const label of await page
    .locator('.target, .piece')
    .evaluateAll((all) => all.map((one) => one.ariaLabel)))
    assert.doesNotMatch(label, /\d,\d|\.5/)
  assert.match(await back.first().getAttribute('aria-label'), /^Drive backwards.*, to column \d+, row \d+½?$/)
  await page.getByText('backwards; you are asked first').waitFor()
  const seq = () => page.locator('.choice[data-seq]').getAttribute('data-seq')
  const before = await seq()
  await back.first().locator('rect').click()
  await page.getByText('That is behind you.').waitFor()
  assert.equal(await seq(), before)
  await page.getByRole('button', { name: 'No', exact: true }).click()
  await page.getByText('That is behind you.').waitFor({ state: 'detached' })
  assert.equal(await seq(), before)
  assert.deepEqual(await flaws(page), [])
  await page.context().close()
})

test('Chariots: on a phone the squares that can be tapped are at least 40 pixels wide', async () => {
  const page = await person({}, PHONE)
  const table = await againstBots(page, server.url, 'chariots', { laps: 1 })
  await page.goto(`${server.url}/t/${table}`)
  for (let i = 0; i < 30 && !(await page.locator('.target').count()); i++)
    await race(page, 'chariots', { until: (choices) => choices === 1 })
  await page.waitForTimeout(700)
  for (const target of await page.locator('.target .area').all()) {
    const { width, height } = await target.boundingBox()
    assert.ok(Math.min(width, height) >= 40, `${width} x ${height}`)
  }
  await page.context().close()
})

test('race the bots: the level is on the card, explained, the weakest first, and kept', async () => {
  const page = await person()
  await page.goto(server.url)
  const card = page.locator('article', { hasText: 'Chariots' }).last()
  const chooser = card.getByRole('combobox')
  await chooser.waitFor()
  const { bots } = await api(page, '/about')
  assert.deepEqual(await chooser.locator('option').evaluateAll((all) => all.map((one) => one.value)), bots)
  assert.equal(await chooser.inputValue(), bots[0])
  const sentences = new Set()
  for (const level of bots) {
    await chooser.selectOption(level)
    sentences.add(await card.locator('.level p').innerText())
  }
  assert.equal(sentences.size, bots.length, 'a sentence for each level')
  await chooser.selectOption(bots[2])
  await card.getByRole('button', { name: 'Race the bots' }).click()
  await awaited(page)
  const { seats } = await tableOf(page)
  assert.deepEqual([...new Set(seats.slice(1).map(({ kind }) => kind))], [bots[2]])
  await page.goto(server.url)
  await chooser.waitFor()
  assert.equal(await chooser.inputValue(), bots[2])
  await page.context().close()
})

test('a new table: colours and emblems are chosen, bots marked and explained, reconstructions told', async () => {
  const page = await person({ name: 'Ana' })
  await page.goto(`${server.url}/new/charioteer#mode=friends`)
  await page.getByLabel('Who sits at seat 2').selectOption('novice')
  const seat = page.locator('form ol li').nth(1)
  await seat.getByRole('img', { name: 'bot' }).waitFor()
  assert.match(await seat.innerText(), /Diocles[^]*Looks at a few choices/)
  await page.getByRole('button', { name: 'Colour of seat 1: Russata' }).click()
  await page.getByRole('button', { name: 'Albata, the Whites', exact: true }).click()
  await page.getByRole('button', { name: 'Colour of seat 2: Russata' }).waitFor()
  assert.match(await page.locator('form').innerText(), /Reconstructed: the mix of the deck/)
  assert.equal(await page.title(), 'New table: Charioteer · Quadriga')
  assert.deepEqual(await flaws(page), [])
  await page.getByRole('button', { name: 'Start the race' }).click()
  await awaited(page)
  assert.deepEqual(
    (await tableOf(page)).seats.map(({ colour }) => colour),
    ['albata', 'russata'],
  )
  await page.locator('.piece:has(.halo) [style*="--albata"]').first().waitFor() // my chariot wears my colour
  await page.goto(server.url)
  await page.getByText('About the components').click()
  await page.getByText('Reconstructed: which squares of the turns are inside squares').waitFor()
  await page.context().close()
})

test('an invitee sees where to sit first; links on a loopback address say that they stay on this machine', async () => {
  const host = await person({ name: 'Ana' })
  await host.goto(`${server.url}/new/chariots#mode=friends`)
  await host.getByRole('button', { name: 'Make the invitation' }).click()
  const link = await host.getByRole('textbox', { name: 'Invitation link' }).inputValue()
  await host.getByText('This link works on this machine alone.').waitFor()
  assert.match(await host.locator('.alone').innerText(), /quadriga serve --host 0\.0\.0\.0/)
  const { network } = await api(host, '/about')
  if (network) assert.ok((await host.locator('.alone').innerText()).includes(network.address))
  const room = await host.locator('main').innerText()
  assert.match(room, /committed to its dice/)
  assert.doesNotMatch(room, /fixed/)
  assert.match(await host.title(), /^Waiting room · Chariots/)
  const guest = await person({ name: 'Ben' }, PHONE)
  await guest.goto(link)
  const sit = guest.getByRole('button', { name: 'Sit here' })
  await sit.waitFor()
  const box = await sit.boundingBox()
  assert.ok(box.y + box.height < PHONE.viewport.height, `on the first screen, not at ${box.y}`)
  assert.ok(!(await guest.getByRole('textbox', { name: 'Invitation link' }).isVisible()))
  assert.deepEqual(await flaws(guest), [])
  await sit.click()
  await guest.getByRole('button', { name: /^Colour of seat 2/ }).click()
  await guest.getByRole('button', { name: 'Purpurea, the Purples' }).click()
  await guest.getByRole('button', { name: 'Colour of seat 2: Purpurea' }).waitFor()
  await host.getByRole('button', { name: 'Settings' }).click()
  await host.getByRole('button', { name: 'Make the link' }).click()
  await host.locator('dialog[open]').getByText('This link works on this machine alone.').waitFor()
  assert.deepEqual([...host.problems, ...guest.problems], [])
  await Promise.all([host, guest].map((page) => page.context().close()))
})

test('hot seat: the first hand is covered, too, and only whoever sits there is "you"', async () => {
  const page = await person({ name: LONG })
  await page.goto(`${server.url}/new/charioteer#mode=hotseat`)
  await page.getByLabel('Name at seat 2').fill(`${LONG.slice(0, -1)}2`)
  await page.getByRole('button', { name: 'Start the race' }).click()
  await page.waitForSelector('.cover')
  assert.equal(await page.locator('.held').count(), 0, 'nothing of the hand is there')
  assert.match(await page.locator('.cover').innerText(), /it is your turn/i)
  for (const size of [{ width: 1366, height: 768 }, PHONE.viewport]) {
    await page.setViewportSize(size)
    assert.deepEqual(await overflowing(page), [], `cover at ${size.width}`)
  }
  await page.locator('.cover .btn').click()
  await page.waitForSelector('.held')
  assert.equal(await page.getByText('you', { exact: true }).count(), 1)
  for (const size of [{ width: 1366, height: 768 }, PHONE.viewport]) {
    await page.setViewportSize(size)
    assert.deepEqual(await overflowing(page), [], `table at ${size.width}`)
  }
  await page.reload()
  await page.waitForSelector('.cover')
  assert.equal(await page.locator('.held').count(), 0, 'after a reload, too')
  await page.context().close()
})

/** Cards out of which something sticks. */
const overflowing = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('li.panel, .cover, .panel > h1, ol li, .hand + *')]
      .filter((card) => card.checkVisibility() && card.scrollWidth > card.clientWidth + 1)
      .map((card) => `${card.className} ${card.scrollWidth} > ${card.clientWidth}`),
  )

test('a long name fits the waiting room, home and every card', async () => {
  const host = await person({ name: LONG }, PHONE)
  await host.goto(`${server.url}/new/chariots#mode=friends`)
  await host.getByRole('button', { name: 'Make the invitation' }).click()
  await host.waitForSelector('.share')
  const wide = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  assert.ok((await wide(host)) <= 0)
  assert.deepEqual(await overflowing(host), [])
  const link = await host.getByRole('textbox', { name: 'Invitation link' }).inputValue()
  const guest = await person({ name: 'Ben' }, PHONE)
  await guest.goto(link)
  await guest.getByRole('button', { name: 'Sit here' }).click()
  await guest.getByRole('button', { name: /^Colour of seat 2/ }).waitFor()
  await guest.goto(server.url)
  await guest.locator('a', { hasText: LONG }).first().waitFor()
  assert.ok((await wide(guest)) <= 0)
  assert.deepEqual(await overflowing(guest), [])
  await Promise.all([host, guest].map((page) => page.context().close()))
})

test("the tab's title is right on every screen", async () => {
  const page = await person()
  const table = await againstBots(page, server.url, 'chariots', { laps: 1 })
  await page.goto(`${server.url}/t/${table}`)
  await awaited(page)
  assert.match(await page.title(), /Your turn/)
  await page.getByRole('link', { name: 'Home' }).click()
  await page.waitForSelector('article')
  assert.equal(await page.title(), 'Quadriga')
  await page.goto(`${server.url}/races`)
  await page.getByRole('heading', { name: 'My races' }).waitFor()
  assert.equal(await page.title(), 'My races · Quadriga')
  await page.goto(`${server.url}/t/${table}#step=0`)
  await page.waitForSelector('.bar input[type=range]')
  assert.equal(await page.title(), 'Replay · Chariots · Quadriga')
  await page.goto(`${server.url}/t/nosuchtable`)
  await page.getByRole('heading', { name: 'There is no such table' }).waitFor()
  assert.equal(await page.title(), 'There is no such table · Quadriga')
  await page.context().close()
})

test('tips say "tap" on touch screens, in both languages, and the choice stays in sight', async () => {
  for (const [language, verb, other] of [
    ['en', /Tap/, /[Cc]lick/],
    ['es', /Toca/, /Pulsa (?!Correr)/],
  ]) {
    const page = await person({ coached: [], language }, PHONE)
    const table = await againstBots(page, server.url, 'charioteer', { laps: 1 })
    await page.goto(`${server.url}/t/${table}`)
    await page.getByRole('note').waitFor()
    const tip = await page.getByRole('note').innerText()
    assert.match(tip, verb)
    assert.doesNotMatch(tip, other)
    await page.context().close()
  }
  const page = await person({ coached: [] })
  const table = await againstBots(page, server.url, 'charioteer', { laps: 1 })
  await page.goto(`${server.url}/t/${table}`)
  assert.match(await page.getByRole('note').innerText(), /Click/)
  await page.context().close()
})
