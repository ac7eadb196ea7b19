// A turn as it is told, at its pace, without anything on the page jumping; hints and keys.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { againstBots, awaited, GAMES, keying, openSite, race, SCREENS } from './harness.mjs'

const { server, person } = openSite()

for (const [screen, viewport] of Object.entries(SCREENS))
  for (const [game, options] of GAMES)
    test(`${game}, ${screen}: in a turn everything moves by less than 0.1 of the layout`, async () => {
      const page = await person({ speed: 4, coached: [] }, { viewport })
      const table = await againstBots(page, server.url, game, options, 4)
      await page.goto(`${server.url}/t/${table}`)
      await awaited(page)
      await page.waitForTimeout(800)
      await page.evaluate(() => {
        window.shifts = []
        new PerformanceObserver((list) => {
          for (const { value, sources } of list.getEntries())
            window.shifts.push({ value, of: sources.map(({ node }) => node?.className ?? node?.nodeName) })
        }).observe({ type: 'layout-shift' })
      })
      for (let turn = 0; turn < 4; turn++) {
        await page.evaluate(() => (window.shifts.length = 0))
        await race(page, game, { until: (choices) => choices === 1 })
        if ((await awaited(page)) !== 'turn') break
        await page.waitForTimeout(300)
        const shifts = await page.evaluate(() => window.shifts)
        const sum = shifts.reduce((total, { value }) => total + value, 0)
        if (turn === 3) console.log(`${game}, ${screen}: layout shift ${sum.toFixed(4)}`)
        assert.ok(sum < 0.1, `${sum}: ${JSON.stringify(shifts)}`)
      }
      await page.context().close()
    })

/** All texts that a part of the page has shown, one after the other. */
const watch = (page, selector) =>
  page.evaluate((wanted) => {
    window.told = []
    new MutationObserver(() => {
      const text = document.querySelector(wanted)?.textContent?.trim()
      if (text && window.told.at(-1) !== text) window.told.push(text)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  }, selector)

test('who moves is told beside the chariot and in the bar, and afterwards what happened to me', async () => {
  for (const [language, expected, summed] of [
    [
      'en',
      /^(Diocles|Crescens|Thallus) (sprints|attacks and drives|recovers and drives|corners) \d+$/,
      /^You: .*(space|still)/,
    ],
    [
      'es',
      /^(Diocles|Crescens|Thallus) (esprinta|ataca y avanza|se recupera y avanza|toma la curva:) \d+$/,
      /^Tú: .*(casilla|moverte)/,
    ],
  ]) {
    const page = await person({ speed: 2, language })
    const table = await againstBots(page, server.url, 'charioteer', { laps: 1 }, 4)
    await page.goto(`${server.url}/t/${table}`)
    await awaited(page)
    await watch(page, '.stage .caption')
    await race(page, 'charioteer', { until: (choices) => choices === 1 })
    await awaited(page)
    const told = await page.evaluate(() => window.told)
    assert.ok(told.filter((text) => expected.test(text)).length >= 3, JSON.stringify(told))
    assert.match((await page.locator('.recap').innerText()).replaceAll('\n', ' '), summed)
    assert.deepEqual(page.problems, [])
    await page.context().close()
  }
})

test('dice, coins, rams and pushes are told by name, in the turns of Chariot Race and Chariots, too', async () => {
  const NAME = '(You|Your|Diocles|Crescens|Thallus|Too fast|\\d+)'
  const VERBS = {
    chariot_race:
      'the dice|again|at speed \\d|ram|damage|still|javelin|caltrop|corner|line|wrecked|falls? back|wins?',
    chariots: 'speed \\d|control|balk|push|crash|lap|way on|finish',
  }
  for (const [game, verbs] of Object.entries(VERBS)) {
    const page = await person({ speed: 4 })
    const table = await againstBots(page, server.url, game, game === 'chariots' ? { laps: 1 } : {}, 4)
    await page.goto(`${server.url}/t/${table}`)
    await awaited(page)
    await watch(page, '.stage .caption')
    const recap = page.locator('.recap')
    for (let choice = 0; choice < 40 && !(await recap.count()); choice++) {
      await race(page, game, { until: (choices) => choices === 1 })
      assert.equal(await awaited(page), 'turn')
    }
    const told = await page.evaluate(() => window.told)
    const form = new RegExp(`^${NAME}\\b.*(${verbs})`)
    assert.deepEqual(
      told.filter((text) => !form.test(text)),
      [],
    )
    const tellers = new Set(told.map((text) => /^\w+/.exec(text)?.[0]))
    assert.ok(tellers.size >= 3, [...tellers].join())
    assert.match(
      (await recap.innerText()).replaceAll('\n', ' '),
      /^You: .*(space|square|damage|crashed|passed)/,
    )
    assert.deepEqual(page.problems, [])
    await page.context().close()
  }
})

/** What each turn of a race brought, until there are enough of them. */
async function recapsOf(page, isEnough) {
  const table = await againstBots(page, server.url, 'charioteer', { laps: 2 }, 6)
  await page.goto(`${server.url}/t/${table}`)
  const recaps = []
  for (let turn = 0; turn < 24 && !isEnough(recaps); turn++) {
    if ((await awaited(page)) !== 'turn') break
    if (turn) recaps.push(await page.locator('.recap').innerText())
    await race(page, 'charioteer', { until: (choices) => choices === 1 })
  }
  return recaps
}

test('the recap names who did the harm, and the log tells nothing of no effect', async () => {
  const page = await person()
  const isHarm = (recap) => /\d+ damage from (\w+'s attack|the emperor)/.test(recap)
  const recaps = []
  for (let tries = 0; tries < 4 && !recaps.some(isHarm); tries++) {
    recaps.push(...(await recapsOf(page, (told) => told.some(isHarm))))
    const log = await page.locator('.log').innerText()
    assert.doesNotMatch(log, /\(0 removed|had no damage|: 0 cubes|draws 0|cost 0/)
  }
  assert.ok(recaps.some(isHarm), recaps.join('\n'))
  for (const recap of recaps) assert.doesNotMatch(recap, /passed by [^,]+, passed by/)
  await page.context().close()
})

test('the pace is chosen while the race moves and kept; a key skips to the next, then to the end', async () => {
  const page = await person({ speed: 1 })
  const table = await againstBots(page, server.url, 'charioteer', { laps: 1 }, 4)
  await page.goto(`${server.url}/t/${table}`)
  await awaited(page)
  await race(page, 'charioteer', { until: (choices) => choices === 1 })
  await page.locator('.playback').getByRole('button', { name: '½×' }).click()
  await page.waitForSelector('.stage .caption')
  const first = await page.locator('.stage .caption').innerText()
  await page.evaluate(() => document.activeElement?.blur())
  await page.keyboard.press(' ')
  await page.waitForFunction((text) => document.querySelector('.stage .caption')?.textContent !== text, first)
  assert.ok(await page.locator('.playback').count(), 'the others still move')
  await page.keyboard.press(' ')
  await page.keyboard.press(' ')
  await page.waitForSelector('.status.mine', { timeout: 3000 })
  await page.reload()
  await awaited(page)
  assert.equal(await page.evaluate(() => JSON.parse(localStorage.getItem('quadriga.settings')).speed), 0.5)
  await page.context().close()
})

test('a hint is drawn where the choice is made', async () => {
  const drawn = {
    charioteer: '.held.up',
    chariots: '.slot svg',
    chariot_race: '.hinted, .target.advised, .die[aria-pressed=true], .pieces .marked',
  }
  for (const [game, options] of GAMES) {
    const page = await person()
    const table = await againstBots(page, server.url, game, options, 4)
    await page.goto(`${server.url}/t/${table}`)
    for (let choice = 0; choice < 3; choice++) {
      assert.equal(await awaited(page), 'turn')
      await page.locator('.hintbtn').click()
      await page.waitForSelector('.panel.hint')
      const selector = choice && game === 'chariots' ? '.hinted, .target.advised' : drawn[game]
      assert.ok((await page.locator(selector).count()) > 0, `${game}: choice ${choice}`)
      const seq = await page.locator('.choice[data-seq]').getAttribute('data-seq')
      await page.locator('.panel.hint .btn.primary').click()
      await page.waitForFunction(
        (before) => document.querySelector('.choice[data-seq]')?.dataset.seq !== before,
        seq,
      )
    }
    await page.context().close()
  }
})

test('the keyboard stays with the choice: coin after coin, square after square', async () => {
  const page = await person()
  const table = await againstBots(page, server.url, 'chariots', { laps: 1 })
  await page.goto(`${server.url}/t/${table}`)
  await awaited(page)
  const focused = () =>
    page.evaluate(() => {
      const active = document.activeElement
      if (active.closest('.target')) return 'square'
      if (active.matches('.coin')) return 'coin'
      return active.matches('.dock .primary') ? 'button' : active.tagName
    })
  for (const coin of ['3', '2', '4']) {
    await keying(page, page.locator(`button.coin[data-coin="${coin}"]`))
    await page.waitForTimeout(100)
    assert.equal(await focused(), coin === '4' ? 'button' : 'coin')
  }
  await page.keyboard.press('Enter')
  for (let step = 0; step < 3; step++) {
    await awaited(page)
    await page.waitForTimeout(150)
    if (!(await page.locator('.target').count())) break
    assert.equal(await focused(), 'square', `step ${step}`)
    const seq = await page.locator('.choice[data-seq]').getAttribute('data-seq')
    await page.keyboard.press('Enter')
    await page.waitForFunction(
      (before) => document.querySelector('.choice[data-seq]')?.dataset.seq !== before,
      seq,
    )
  }
  await page.context().close()
})
