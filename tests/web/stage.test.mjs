// The table's layout: the board is the stage, the choice fits below or beside it, nothing scrolls.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { againstBots, awaited, GAMES, openSite, race, SCREENS } from './harness.mjs'

const { server, person } = openSite()

/** What of the layout is wrong, in words. */
const faults = () => {
  const rect = (selector) => document.querySelector(selector)?.getBoundingClientRect()
  const area = (box) => (box ? box.width * box.height : 0)
  const found = []
  const page = document.documentElement
  if (page.scrollHeight > innerHeight) found.push(`the page is ${page.scrollHeight} px high`)
  if (page.scrollWidth > innerWidth) found.push(`the page is ${page.scrollWidth} px wide`)
  const [board, dock] = [rect('.board'), rect('.dock')]
  if (innerWidth > 900)
    for (const other of ['.dock', '.side'])
      if (area(rect(other)) > area(board)) found.push(`${other} is larger than the board`)
  if (dock && dock.bottom > innerHeight + 0.5) found.push('the dock ends below the screen')
  const confirm = [...document.querySelectorAll('.dock .btn.primary')].at(0)?.getBoundingClientRect()
  if (confirm && (confirm.bottom > innerHeight || confirm.top < dock.top))
    found.push('the button is out of sight')
  const { a: scale } = new DOMMatrix(getComputedStyle(document.querySelector('.world')).transform)
  for (const text of document.querySelectorAll('.stage svg text')) {
    const { a: own } = text.getScreenCTM()
    const size = Number.parseFloat(getComputedStyle(text).fontSize) * own
    if (size < 11.9) found.push(`"${text.textContent}" is ${size.toFixed(1)} px high (scale ${scale})`)
  }
  if (innerWidth >= 1024)
    for (const piece of document.querySelectorAll('.piece')) {
      const { width, height } = piece.querySelector('g').getBoundingClientRect()
      if (Math.max(width, height) < 40) found.push(`a chariot is ${width} by ${height} px`)
    }
  return found
}

for (const [game, options] of GAMES)
  test(`${game}: board, choice and tips fit every screen, in sizes that can be read`, async () => {
    const page = await person({ coached: [] })
    const table = await againstBots(page, server.url, game, options, 4)
    for (const [screen, viewport] of Object.entries(SCREENS)) {
      await page.setViewportSize(viewport)
      await page.goto(`${server.url}/t/${table}`)
      await awaited(page)
      await page.waitForSelector('.coach')
      await page.waitForTimeout(600)
      assert.deepEqual(await page.evaluate(faults), [], `${game}, ${screen}`)
      await page.keyboard.press('z')
      await page.waitForTimeout(600)
      const small = (await page.evaluate(faults)).filter((fault) => /" is/.test(fault))
      assert.deepEqual(small, [], `${game}, ${screen}, the whole track`)
    }
    await page.context().close()
  })

test('while nothing is asked the board takes the room that is there', async () => {
  const page = await person({ speed: 0.5 }, { viewport: SCREENS.laptop })
  const table = await againstBots(page, server.url, 'charioteer', { laps: 1 }, 4)
  await page.goto(`${server.url}/t/${table}`)
  await awaited(page)
  const size = () => page.locator('.board').boundingBox()
  const choosing = await size()
  await race(page, 'charioteer', { until: (choices) => choices === 1 })
  await page.waitForSelector('.playback')
  const racing = await size()
  assert.equal(racing.x, choosing.x)
  assert.equal(racing.y, choosing.y)
  assert.ok(racing.width >= 1000 && racing.height >= 690, JSON.stringify(racing))
  await page.context().close()
})

test('six chariots at the start can be told apart', async () => {
  for (const game of ['charioteer', 'chariot_race']) {
    const page = await person({}, { viewport: SCREENS.laptop })
    const table = await againstBots(page, server.url, game, game === 'charioteer' ? { laps: 1 } : {}, 6)
    await page.goto(`${server.url}/t/${table}`)
    await awaited(page)
    await page.waitForTimeout(600)
    const middles = await page.locator('.piece .emblem').evaluateAll((emblems) =>
      emblems.map((emblem) => {
        const { x, y, width, height } = emblem.getBoundingClientRect()
        return { x: x + width / 2, y: y + height / 2, width }
      }),
    )
    assert.equal(middles.length, 6)
    for (const [i, a] of middles.entries())
      for (const b of middles.slice(i + 1)) {
        const apart = Math.hypot(a.x - b.x, a.y - b.y)
        assert.ok(apart > a.width * 0.95, `${game}: emblems of ${a.width} px are ${apart} px apart`)
      }
    await page.context().close()
  }
})
