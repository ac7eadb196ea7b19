// Longer runs of the page: keys alone, one screen for several players, replays, and what a race costs the browser.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { againstBots, awaited, keying, openBrowser, person, race, Server } from './harness.mjs'

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

for (const [game, options, seats] of [['charioteer', { laps: 1 }, 2], ['chariots', { laps: 1 }, 2], ['chariot_race', {}, 4]]) {
  test(`a whole race of ${game} by keys alone`, async () => {
    const page = await person(browser)
    const table = await againstBots(page, server.url, game, options, seats)
    await page.goto(`${server.url}/t/${table}`)
    assert.ok((await race(page, game, { act: keying })) > 3)
    await page.context().close()
  })
}

test('one screen for two: secrets are covered until the right player takes it', async () => {
  const page = await person(browser, { name: 'Ana' })
  await page.goto(`${server.url}/new/charioteer#mode=hotseat`)
  await page.getByLabel('Name at seat 2').fill('Ben')
  await page.getByRole('button', { name: 'Start the race' }).click()
  await awaited(page)
  const hand = () => page.locator('.held').evaluateAll((cards) => cards.map((card) => card.textContent).join())
  const first = await hand()
  await page.locator('.idea').first().click()
  await page.locator('.go').click()
  await page.waitForSelector('.cover')
  assert.match(await page.locator('.cover').innerText(), /Ben, it is your turn/)
  assert.equal(await page.locator('.held').count(), 0)
  await page.getByRole('button', { name: 'I am Ben' }).click()
  await page.waitForSelector('.held')
  assert.notEqual(await hand(), first)
  await page.locator('.idea').first().click()
  await page.locator('.go').click()
  await page.getByText('Turn 2').waitFor() // Ben holds the screen, so he chooses first
  await page.locator('.idea').first().click()
  await page.locator('.go').click()
  await page.waitForSelector('.cover')
  assert.match(await page.locator('.cover').innerText(), /Ana, it is your turn/)
  assert.equal(await page.locator('.held').count(), 0)
  await page.context().close()
})

test('a race goes on where it was after the server was killed in the middle', async () => {
  const page = await person(browser)
  const table = await againstBots(page, server.url, 'charioteer', { laps: 1 })
  await page.goto(`${server.url}/t/${table}`)
  await race(page, 'charioteer', { until: (choices) => choices === 3 })
  await awaited(page)
  const lines = await page.locator('.log li').count()
  await server.kill()
  await page.waitForSelector('.lost')
  await server.start()
  await page.waitForSelector('.lost', { state: 'detached' })
  assert.equal(await page.locator('.log li').count(), lines)
  await race(page, 'charioteer')
  assert.deepEqual(page.problems, [])
  await page.context().close()
})

test('a finished race is scrubbed without lag, linked to a step, and its dice are checked in the page', async () => {
  const page = await person(browser)
  const table = await againstBots(page, server.url, 'charioteer', { laps: 1 })
  await page.goto(`${server.url}/t/${table}`)
  await race(page, 'charioteer')
  await page.goto(`${server.url}/t/${table}#step=2`)
  await page.waitForSelector('.bar input[type=range]')
  assert.match(await page.locator('.bar').innerText(), /Step 2 of/)
  const last = Number(await page.locator('.bar input[type=range]').getAttribute('max'))
  const slowest = await page.evaluate(async (steps) => {
    const range = document.querySelector('.bar input[type=range]')
    let slow = 0
    for (let step = 0; step <= steps; step++) {
      const began = performance.now()
      range.value = step
      range.dispatchEvent(new Event('input', { bubbles: true }))
      await new Promise(requestAnimationFrame)
      slow = Math.max(slow, performance.now() - began)
    }
    return slow
  }, last)
  assert.ok(slowest < 250, `a step took ${slowest} ms`)
  await page.locator('.bar input[type=range]').focus()
  await page.keyboard.press('ArrowLeft')
  assert.match(await page.locator('.bar').innerText(), new RegExp(`Step ${last - 1} of ${last}`))
  assert.match(page.url(), new RegExp(`#step=${last - 1}$`))
  await page.getByRole('button', { name: 'Check the dice' }).click()
  await page.getByText('The seed fits the fingerprint').waitFor()
  await page.getByText('Every step, played again from the seed').waitFor()
  await page.context().close()
})

test('two thousand events leave the heap as it was', async () => {
  const page = await person(browser)
  const table = await againstBots(page, server.url, 'charioteer', { laps: 3 }, 4)
  await page.goto(`${server.url}/t/${table}`)
  const session = await page.context().newCDPSession(page)
  const heap = async () => {
    await session.send('HeapProfiler.collectGarbage')
    return (await session.send('Runtime.getHeapUsage')).usedSize / 1e6
  }
  await race(page, 'charioteer', { until: (choices) => choices === 6 })
  const early = await heap()
  await race(page, 'charioteer', { until: (choices) => choices === 14 })
  const late = await heap()
  assert.ok(late < early * 1.25 + 1, `${early} MB before, ${late} MB after`)
  await page.context().close()
})
