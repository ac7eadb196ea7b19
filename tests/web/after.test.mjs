// After and around the race: the result, its chart, the replay, my races, the rules with their pictures.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { againstBots, awaited, flaws, openSite, race } from './harness.mjs'

const LAPTOP = { viewport: { width: 1366, height: 768 } }
let finished
let page
const { server, person } = openSite({
  prepare: async () => {
    page = await person({}, LAPTOP)
    finished = await againstBots(page, server.url, 'charioteer', { laps: 1 }, 3)
    await page.goto(`${server.url}/t/${finished}`)
    await race(page, 'charioteer')
  },
})

/** Whether something lies within the screen, and nothing covers it. */
const isInSight = (locator) =>
  locator.evaluate((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect()
    const inside = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth
    return inside && element.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2))
  })

test('after the race one reads the own place and by how much, and a rematch is in sight', async () => {
  const dialog = page.locator('dialog[open]')
  const view = await (await page.request.get(`${server.url}/api/tables/${finished}/view`)).json()
  const place = view.result.places[0]
  const said = place === 1 ? /You win the race!/ : new RegExp(`You came ${place}(st|nd|rd|th)`)
  assert.match(await dialog.locator('.banner h3').innerText(), said)
  await dialog
    .locator('.margin')
    .getByText(/\d+ spaces? (behind|ahead of)/)
    .waitFor()
  const [winner] = view.result.places.flatMap((one, seat) => (one === 1 ? [seat] : []))
  const second = view.result.places.indexOf(2)
  const [seat, other] = place === 1 ? [winner, second] : [winner, 0]
  const gap = view.view.progress[seat] - view.view.progress[other]
  const margin = await dialog.locator('.margin').innerText()
  assert.equal(Number(/\d+/.exec(margin)[0]), gap, margin)
  assert.ok(await isInSight(dialog.getByRole('button', { name: 'Rematch' })))
})

test('the chart has labelled axes and tells the gaps of a turn by pointer and by keys', async () => {
  const chart = page.locator('dialog[open] [role=slider]')
  await chart.scrollIntoViewIfNeeded()
  const labels = (await chart.locator('text').allTextContents()).map((text) => text.trim())
  assert.ok(labels.includes('Turn') && labels.includes('0') && labels.includes('Ana'), labels.join(' '))
  const box = await chart.boundingBox()
  await page.mouse.move(box.x + 40, box.y + 60)
  const caption = page.locator('dialog[open] figcaption')
  const early = await caption.innerText()
  await chart.focus()
  await chart.press('End')
  const late = await caption.innerText()
  assert.notEqual(early, late)
  assert.match(late, /leads/)
  assert.match(late, /\d+ spaces? behind/)
  const turn = Number(await chart.getAttribute('aria-valuenow'))
  await chart.press('ArrowLeft')
  assert.equal(Number(await chart.getAttribute('aria-valuenow')), turn - 1)
  assert.match(await chart.getAttribute('aria-valuetext'), /Ana/)
})

test('a winner with the smaller number is explained', async () => {
  const rows = page.locator('dialog[open] section:has(.why) tbody tr')
  const first = page.locator('dialog[open] section').filter({ hasText: 'Figures' }).locator('tbody tr')
  const ground = await first.evaluateAll((all) => all.map((row) => Number(row.cells[1].textContent)))
  const isOdd = ground.slice(1).some((spaces) => spaces > ground[0])
  assert.equal((await rows.count()) > 0, isOdd, ground.join())
})

test('a replay shows standings, every hand and who chose what, as each seat saw it', async () => {
  await page.goto(`${server.url}/t/${finished}#step=1`)
  await page.waitForSelector('.standings .open')
  const side = page.locator('.side')
  await page.waitForFunction(() => document.querySelectorAll('.standings .open').length === 3)
  assert.equal(await side.locator('.chose').count(), 3)
  const hands = await side
    .locator('.open')
    .evaluateAll((all) => all.map((hand) => hand.getAttribute('aria-label')))
  assert.equal(new Set(hands).size, 3)
  assert.ok((await side.locator('.here .who svg').count()) > 0, 'players bear their emblem')
  assert.doesNotMatch(await side.locator('.here').innerText(), /\(0 removed|no cubes/)
  const eyes = side.getByLabel('Seen by')
  await eyes.selectOption({ label: 'Ana' })
  await page.waitForFunction(() => document.querySelectorAll('.standings .open').length === 1)
  assert.equal(await side.locator('.chose').count(), 1)
  assert.deepEqual(await flaws(page), [])
  const board = await page.locator('.board').boundingBox()
  assert.ok(board.width > 1000 && board.height > 600, 'the board is the stage here, too')
  assert.deepEqual(page.problems, [])
})

test('a race that goes on shows nobody more than they saw', async () => {
  const table = await againstBots(page, server.url, 'charioteer', { laps: 1 }, 3)
  await page.goto(`${server.url}/t/${table}`)
  await race(page, 'charioteer', { until: (choices) => choices === 2 })
  await awaited(page)
  await page.goto(`${server.url}/t/${table}#step=1`)
  await page.waitForSelector('.standings .open')
  assert.equal(await page.locator('.standings .open').count(), 1)
  assert.equal(await page.locator('.standings .chose').count(), 1)
  const answer = await page.request.get(`${server.url}/api/tables/${table}/steps?seat=1`)
  assert.equal(answer.status(), 403)
  const { choices } = await (await page.request.get(`${server.url}/api/tables/${table}/steps`)).json()
  assert.ok(Object.values(choices).every((known) => Object.keys(known).join() === '0'))
})

/** 24 races given up, one that goes on, and one of bots. */
async function manyRaces(one) {
  await one.goto(server.url)
  await one.evaluate(async () => {
    const ask = async (path, body) => {
      const answer = await fetch(`/api${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
      return answer.json()
    }
    await ask('/guests', { name: 'Ana' })
    for (let i = 0; i < 26; i++) {
      const game = i % 2 ? 'chariots' : 'charioteer'
      const seats = [{ kind: i === 25 ? 'wanderer' : 'me' }, { kind: 'wanderer' }]
      const { table } = await ask('/tables', { game, seats, options: { laps: 1 } })
      const command = (type) => ask(`/tables/${table.id}/commands`, { type, table: table.id, seat: 0 })
      await ask(`/tables/${table.id}/commands`, { type: 'start', table: table.id })
      if (i < 24) await command('resign')
    }
  })
}

test('all my races are listed in pages, with figures, a filter, and a way to delete one', async () => {
  const one = await person({}, LAPTOP)
  await manyRaces(one)
  await one.goto(`${server.url}/races`)
  await one.getByRole('heading', { name: 'Going on' }).waitFor()
  const rows = one.locator('.lists section').last().locator('ul li')
  await one.waitForFunction(() => document.querySelectorAll('.lists section:last-child ul li').length === 20)
  await one.getByRole('button', { name: 'Show more' }).click()
  await one.waitForFunction(() => document.querySelectorAll('.lists section:last-child ul li').length === 24)
  assert.match(await rows.first().innerText(), /2nd of 2/)
  await one.getByLabel('Game').selectOption({ label: 'Chariots' })
  await one.waitForFunction(() => document.querySelectorAll('.lists section:last-child ul li').length === 12)
  const figures = one.getByRole('complementary', { name: 'My figures' })
  assert.match(await figures.innerText(), /races\s+24/)
  await one
    .getByRole('button', { name: /^Delete the race/ })
    .nth(1)
    .click()
  await one.locator('dialog[open]').getByRole('button', { name: 'Delete this race' }).click()
  await one.waitForFunction(() => document.querySelectorAll('.lists section:last-child ul li').length === 11)
  await figures.getByText('23').first().waitFor()
  await one.getByRole('button', { name: 'Only watched' }).click()
  await one.waitForFunction(() => document.querySelectorAll('.lists section:last-child ul li').length === 1)
  assert.deepEqual(await flaws(one), [])
  assert.deepEqual(one.problems, [])
  await one.context().close()
})

for (const [game, options, language, words] of [
  ['charioteer', { laps: 1 }, 'en', 'damage'],
  ['chariot_race', {}, 'es', 'daño'],
  ['chariots', { laps: 1 }, 'en', 'control'],
]) {
  test(`the rules of ${game}: pictures, small numbers, rulings, a search that jumps and marks`, async () => {
    const one = await person({ language }, LAPTOP)
    const table = await againstBots(one, server.url, game, options, 2)
    await one.goto(`${server.url}/t/${table}`)
    await awaited(one)
    await one.getByRole('button', { name: /^(Rules|Reglas)$/ }).click()
    const rules = one.locator('dialog[open]')
    await rules.locator('figure').first().waitFor()
    assert.ok((await rules.locator('figure svg').count()) > 3)
    assert.ok((await rules.locator('.ruling').count()) > 8)
    const text = await rules.innerText()
    assert.doesNotMatch(text, /quadriga [a-z]+ |src\/|tests\/|\.toml|--\w/)
    const [number, body] = await rules
      .locator('h3 .no')
      .first()
      .evaluate((small) =>
        [small, small.parentElement].map((one) => parseFloat(getComputedStyle(one).fontSize)),
      )
    assert.ok(number < body, `${number} < ${body}`)
    await rules.getByRole('searchbox').fill(words)
    const hit = rules.locator('mark.at')
    await hit.waitFor()
    assert.equal((await hit.innerText()).toLowerCase(), words)
    assert.ok(await isInSight(hit))
    const hits = await rules.locator('mark').count()
    assert.ok(hits > 3)
    await rules.getByRole('searchbox').press('Enter')
    await rules.getByText(new RegExp(`2 (of|de) ${hits}`)).waitFor()
    assert.ok(await isInSight(rules.locator('mark.at')))
    assert.deepEqual(await flaws(one), [])
    assert.deepEqual(one.problems, [])
    await one.context().close()
  })
}

test('watching has a pause and a speed', async () => {
  const one = await person({ speed: 1 }, LAPTOP)
  await one.goto(server.url)
  const table = await one.evaluate(async () => {
    const ask = (path, body) =>
      fetch(`/api${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }).then((answer) => answer.json())
    await ask('/guests', { name: 'Ana' })
    const seats = [{ kind: 'wanderer' }, { kind: 'wanderer' }]
    const { table } = await ask('/tables', { game: 'chariots', seats, pace_ms: 100 })
    return table.id
  })
  await one.goto(`${server.url}/t/${table}`)
  await one.getByRole('button', { name: 'Start the race' }).click()
  await one.getByRole('button', { name: 'Pause' }).click()
  await one.getByRole('button', { name: 'Play' }).waitFor()
  await one.waitForTimeout(1500)
  const lines = await one.locator('.log li').count()
  await one.waitForTimeout(2500)
  assert.equal(await one.locator('.log li').count(), lines, 'nothing moves')
  await one.getByRole('button', { name: '4×' }).click()
  await one.getByRole('button', { name: 'Play' }).click()
  await one.waitForFunction((count) => document.querySelectorAll('.log li').length > count, lines)
  await one.context().close()
})
