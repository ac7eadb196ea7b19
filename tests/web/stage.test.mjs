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

test('Charioteer: hand, tokens, the sum of a move and its button are in sight together', async () => {
  for (const viewport of Object.values(SCREENS)) {
    const page = await person({}, { viewport })
    const table = await againstBots(page, server.url, 'charioteer', { laps: 1 }, 4)
    await page.goto(`${server.url}/t/${table}`)
    await awaited(page)
    await page.locator('.idea').first().click()
    for (const part of ['.held.up', '.tokens .btn', '.sum .total', '.gains', '.go'])
      for (const box of await page.locator(`.dock ${part}`).evaluateAll(hidden))
        assert.equal(box, null, `${part}, ${viewport.width}`)
    await page.context().close()
  }
})

/** What covers the middle of each of these, if something does. */
const hidden = (elements) =>
  elements.map((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect()
    const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
    return over && (element.contains(over) || over.contains(element)) ? null : (over?.outerHTML ?? 'the edge')
  })

for (const [game, options] of GAMES)
  test(`${game}: at every choice board and button fit a laptop and a tablet`, async () => {
    for (const viewport of [SCREENS.laptop, SCREENS.tablet]) {
      const page = await person({}, { viewport })
      const table = await againstBots(page, server.url, game, options, 4)
      await page.goto(`${server.url}/t/${table}`)
      const met = new Set()
      for (let choice = 0; choice < 24; choice++) {
        if ((await awaited(page)) !== 'turn') break
        const asked = await page.locator('.status .what').innerText()
        met.add(asked)
        await page.waitForTimeout(500)
        assert.deepEqual(await page.evaluate(faults), [], `${game}, ${viewport.width}: ${asked}`)
        await race(page, game, { until: (choices) => choices === 1 })
      }
      assert.ok(met.size >= (game === 'chariot_race' ? 3 : 1), [...met].join('; '))
      await page.context().close()
    }
  })

/** Choose until chariots of others are on their way. */
async function untilOthersMove(page, game) {
  for (let choice = 0; choice < 8; choice++) {
    await race(page, game, { until: (choices) => choices === 1 })
    const found = await page.waitForSelector('.playback', { timeout: 2000 }).catch(() => null)
    if (found && !(await page.locator('.dock').count())) return
  }
  assert.fail('nobody else moves')
}

/** How much of the screen the board takes. */
const share = (page) =>
  page.evaluate(() => {
    const { width, height } = document.querySelector('.table > .board').getBoundingClientRect()
    return (width * height) / (innerWidth * innerHeight)
  })

for (const [game, options] of GAMES)
  test(`${game}: the board takes the room while chariots race, in a pause, a replay, and for watchers`, async () => {
    const page = await person({ speed: 0.5 }, { viewport: SCREENS.laptop })
    const table = await againstBots(page, server.url, game, options, 4)
    await page.goto(`${server.url}/t/${table}`)
    await awaited(page)
    const [left, top] = await page
      .locator('.table > .board')
      .evaluate((board) => [board.getBoundingClientRect().x, board.getBoundingClientRect().y])
    await untilOthersMove(page, game)
    const racing = await page.locator('.table > .board').boundingBox()
    assert.deepEqual([racing.x, racing.y], [left, top])
    const most = game === 'chariots' ? 0.64 : 0.7
    assert.ok((await share(page)) > most, `racing: ${await share(page)}`)
    const command = (type) =>
      page.request.post(`${server.url}/api/tables/${table}/commands`, { data: { type, table } })
    assert.ok((await command('pause')).ok())
    await page.waitForFunction(() => /paused/.test(document.querySelector('.status .what').textContent))
    await page.waitForSelector('.dock', { state: 'detached' })
    assert.ok((await share(page)) > most, `paused: ${await share(page)}`)
    await page.goto(`${server.url}/t/${table}#step=1`)
    await page.waitForSelector('.bar input[type=range]')
    assert.ok((await share(page)) > most, `replay: ${await share(page)}`)
    const watcher = await person({}, { viewport: SCREENS.laptop })
    await watcher.goto(`${server.url}/t/${table}`)
    await watcher.waitForSelector('.piece')
    assert.ok((await share(watcher)) > most, `watching: ${await share(watcher)}`)
    await Promise.all([page.context().close(), watcher.context().close()])
  })

/** What of the track lies outside the stage, in pixels. */
const unseen = (page) =>
  page.evaluate(() => {
    const stage = document.querySelector('.stage').getBoundingClientRect()
    const { left, top, right, bottom } = document.querySelector('.world').getBoundingClientRect()
    return Math.max(stage.left - left, stage.top - top, right - stage.right, bottom - stage.bottom)
  })

test('the camera follows who moves, close enough; a key and a button show the whole track', async () => {
  for (const [game, options] of GAMES) {
    const page = await person({ speed: 1 }, { viewport: SCREENS.laptop })
    const table = await againstBots(page, server.url, game, options, 4)
    await page.goto(`${server.url}/t/${table}`)
    await awaited(page)
    for (const show of [() => page.keyboard.press('z'), () => page.locator('.whole').click()]) {
      await show()
      await page.waitForTimeout(600)
      assert.ok((await unseen(page)) <= 1, `${game}: ${await unseen(page)} px are not seen`)
      await page.keyboard.press('z')
      await page.waitForTimeout(600)
    }
    await race(page, game, { until: (choices) => choices === 1 })
    for (let moment = 0; moment < 12; moment++) {
      await page.waitForTimeout(250)
      const seen = await page.evaluate(followed)
      if (!seen) break
      assert.ok(seen.isInside, `${game}: the chariot that moves is out of sight`)
      assert.ok(seen.length >= 40, `${game}: it is ${seen.length} px long`)
    }
    await page.context().close()
  }
})

/** The chariot that the caption speaks of: whether it is on the stage, and how long. */
const followed = () => {
  const caption = document.querySelector('.stage .caption')
  if (!caption) return null
  const stage = document.querySelector('.stage').getBoundingClientRect()
  const said = caption.getBoundingClientRect()
  const near = [...document.querySelectorAll('.piece > g')]
    .map((piece) => piece.getBoundingClientRect())
    .map((box) => ({
      box,
      away: Math.hypot(box.x + box.width / 2 - said.x - said.width / 2, box.y - said.y),
    }))
    .toSorted((a, b) => a.away - b.away)[0].box
  return {
    isInside:
      near.left >= stage.left - 1 &&
      near.right <= stage.right + 1 &&
      near.top >= stage.top - 1 &&
      near.bottom <= stage.bottom + 1,
    length: Math.max(near.width, near.height),
  }
}

/** Relative luminance of a colour of the page, as WCAG defines it. */
const luminance = (page, name) =>
  page.evaluate((variable) => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.color = `var(${variable})`
    const [r, g, b] = getComputedStyle(probe)
      .color.match(/[\d.]+/g)
      .map((part) => Number(part) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    probe.remove()
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }, name)

test('by day and by night the track stands out from its ground, and chariots from the track', async () => {
  const FACTIONS = ['russata', 'albata', 'veneta', 'prasina', 'aurata', 'purpurea']
  for (const theme of ['light', 'dark']) {
    const page = await person({ theme })
    await page.goto(server.url)
    await page.waitForSelector('article')
    const contrast = async (one, other) => {
      const [a, b] = [await luminance(page, one), await luminance(page, other)]
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
    }
    assert.ok((await luminance(page, '--sand-1')) > 0.35, `${theme}: the sand is dark`)
    assert.ok((await contrast('--sand-1', '--infield')) > 1.8, `${theme}: sand and infield`)
    for (const faction of FACTIONS)
      assert.ok((await contrast('--sand-1', `--${faction}-deep`)) > 4.5, `${theme}: the rim of ${faction}`)
    await page.context().close()
  }
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
