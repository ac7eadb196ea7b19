// Being at a table with others: lost connections, who is there, chat.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { againstBots, awaited, flaws, Line, openSite } from './harness.mjs'

let line
const { server, person } = openSite({
  prepare: async () => {
    line = await new Line(server).start()
  },
})
after(() => line?.stop())

/** Whether the note of a lost connection is on the screen and covered by nothing. */
const isSeen = (page) =>
  page.evaluate(() => {
    const note = document.querySelector('.lost')
    if (!note) return false
    const { left, top, width, height } = note.getBoundingClientRect()
    const [x, y] = [left + width / 2, top + height / 2]
    return y > 0 && y < innerHeight && note.contains(document.elementFromPoint(x, y))
  })

for (const [device, viewport] of [
  ['a laptop', { width: 1366, height: 768 }],
  ['a phone', { width: 360, height: 740 }],
]) {
  test(`on ${device} a silent connection is noticed within 10 s, wherever one has scrolled`, async () => {
    const page = await person({}, { viewport })
    const table = await againstBots(page, line.url, 'chariots', { laps: 1 })
    await page.goto(`${line.url}/t/${table}`)
    await awaited(page)
    assert.match(await page.title(), /Your turn/)
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    const began = Date.now()
    line.silence()
    await page.waitForSelector('.lost', { timeout: 10_000 })
    const seconds = (Date.now() - began) / 1000
    assert.ok(await isSeen(page), 'it is on the screen')
    assert.equal(await page.getByText('Your turn').filter({ visible: true }).count(), 0)
    assert.doesNotMatch(await page.title(), /Your turn/)
    assert.deepEqual(await flaws(page), [])
    line.mend()
    await page.waitForSelector('.lost', { state: 'detached' })
    assert.equal(await awaited(page), 'turn')
    assert.deepEqual(page.problems, [])
    console.log(`# noticed after ${seconds.toFixed(1)} s`)
    await page.context().close()
  })
}

test('the browser says that it is offline: seen at once, over an open window too', async () => {
  const page = await person()
  const table = await againstBots(page, line.url, 'chariots', { laps: 1 })
  await page.goto(`${line.url}/t/${table}`)
  await awaited(page)
  line.silence()
  await page.evaluate(() => dispatchEvent(new Event('offline')))
  await page.waitForSelector('.lost', { timeout: 5000 })
  assert.ok(await isSeen(page))
  const box = await page.locator('.lost').boundingBox()
  const clip = { x: box.x + 12, y: box.y + 6, width: box.width - 24, height: box.height - 12 }
  const picture = () => page.screenshot({ clip, animations: 'disabled' })
  const before = await picture()
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.waitForSelector('dialog[open] .body *')
  assert.ok(before.equals(await picture()), 'the window does not dim or cover it')
  line.mend()
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await page.waitForSelector('.lost', { state: 'detached' })
  await page.context().close()
})

test('a loopback connection outlives the word that the browser is offline', async () => {
  const page = await person()
  const table = await againstBots(page, server.url, 'chariots', { laps: 1 })
  await page.goto(`${server.url}/t/${table}`)
  await awaited(page)
  await page.evaluate(() => dispatchEvent(new Event('offline')))
  await page.waitForTimeout(2500)
  assert.equal(await page.locator('.lost').count(), 0)
  assert.ok(await page.locator('.status.mine').count())
  await page.context().close()
})

/** A table of Ana and Ben, each at a page of their own. */
async function twoPersons() {
  const [ana, ben] = [await person({ name: 'Ana' }), await person({ name: 'Ben' })]
  await ana.goto(`${server.url}/new/chariots#mode=friends`)
  await ana.getByRole('button', { name: 'Make the invitation' }).click()
  const link = await ana.getByRole('textbox', { name: 'Invitation link' }).inputValue()
  await ben.goto(link)
  await ben.getByRole('button', { name: 'Sit here' }).click()
  return [ana, ben, link]
}

test('one sees who is here, away, disconnected and watching', async () => {
  const [ana, ben, link] = await twoPersons()
  await ana.locator('.presence.here').waitFor({ state: 'attached' })
  await ana.getByRole('button', { name: 'Start the race' }).click()
  await ana.waitForSelector('.table')
  await ana.locator('.presence.here').waitFor({ state: 'attached' })
  await ben.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await ana.locator('.presence.away').getByText('away').waitFor()
  const cyn = await person({ language: 'es' })
  await cyn.goto(link)
  await ana.getByText('1 watching').waitFor()
  await cyn.getByText('ausente').waitFor()
  await ben.context().close()
  await ana.locator('.presence.disconnected').getByText('disconnected').waitFor()
  assert.deepEqual(await flaws(ana), [])
  assert.deepEqual([...ana.problems, ...cyn.problems], [])
  await Promise.all([ana.context().close(), cyn.context().close()])
})

const colourOf = (message) => message.style.getPropertyValue('--c')

test('chat lies beside the board, with times and reactions, and what was read stays read', async () => {
  const [ana, ben] = await twoPersons()
  for (const page of [ana, ben]) await page.setViewportSize({ width: 1366, height: 768 })
  await ana.getByRole('button', { name: 'Start the race' }).click()
  await Promise.all([ana, ben].map((page) => page.waitForSelector('.table')))
  const table = new URL(ana.url()).pathname.slice(3)
  const say = (page, text) =>
    page.request.post(`${server.url}/api/tables/${table}/commands`, { data: { type: 'say', table, text } })
  assert.ok((await say(ben, 'Ave!')).ok())
  const badge = ana.locator('.badge').filter({ visible: true })
  await badge.first().waitFor()
  assert.equal(await badge.first().innerText(), '1')
  assert.equal(await ben.locator('.badge').filter({ visible: true }).count(), 0, 'the own message is no news')
  await ana.getByRole('button', { name: /^Chat/ }).first().click()
  const chat = ana.locator('dialog[open] .chat')
  await chat.getByText('Ave!').waitFor()
  assert.match(await chat.locator('time').innerText(), /\d\d:\d\d/)
  assert.equal(await chat.locator('li:has(.head svg)').first().evaluate(colourOf), 'var(--albata)')
  await chat.getByRole('button', { name: 'React to Ben' }).click()
  await chat.getByRole('button', { name: 'Bravo' }).click()
  await chat.getByRole('button', { name: 'Bravo: 1' }).waitFor()
  assert.deepEqual(await flaws(ana), [])
  await ana.reload()
  await ana.waitForSelector('.table')
  await ana.waitForTimeout(800)
  assert.equal(
    await ana.locator('.badge').filter({ visible: true }).count(),
    0,
    'it was read before the reload',
  )
  const other = await againstBots(ana, server.url, 'charioteer', { laps: 1 })
  await ana.goto(`${server.url}/t/${other}`)
  await awaited(ana)
  await ana.getByRole('button', { name: 'Chat' }).click()
  const [board, beside] = await Promise.all(
    ['.board', '.side .chat'].map((part) => ana.locator(part).first().boundingBox()),
  )
  assert.ok(beside.x >= board.x + board.width, 'the chat lies beside the board')
  await Promise.all([ana.context().close(), ben.context().close()])
})
