// Puzzles in a real Chromium: today's, an answer explained, the board as in a race, in both languages.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clicking, cramped, flaws, keying, openBrowser, person, PLAYERS, Server } from './harness.mjs'

const GAMES = ['charioteer', 'chariot_race', 'chariots']
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const WORDS = {
  en: {
    title: 'Puzzles',
    solve: "Solve today's",
    ask: 'Which choice wins most often?',
    wrong: /Not the best\. Try again\./,
    against: /Your choice wins \d+ %, the best \d+ %\./,
    right: /This wins \d+ % of the races that can follow; the next best choice wins \d+ %\./,
    show: 'Show the answer',
    next: 'Next puzzle',
    on: 'Play on from here',
    again: 'Once more',
    rating: /Rating \d+/,
  },
  es: {
    title: 'Problemas',
    solve: 'Resolver el de hoy',
    ask: '¿Qué jugada gana más a menudo?',
    wrong: /No es la mejor\. Inténtalo de nuevo\./,
    against: /Con tu jugada se gana el \d+ %, con la mejor el \d+ %\./,
    right: /Con esta jugada se gana el \d+ % de las carreras que pueden seguir; con la siguiente, el \d+ %\./,
    show: 'Mostrar la respuesta',
    next: 'Siguiente problema',
    on: 'Seguir jugando desde aquí',
    again: 'Otra vez',
    rating: /Puntuación \d+/,
  },
}
const server = new Server({ QUADRIGA_PUZZLES_PER_MINUTE: '6000' })
let browser

before(async () => {
  await server.start()
  browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  await server.stop()
})

const card = (page) => page.locator('section.panel[aria-label]').first()

/** Open a puzzle and wait until it asks. */
async function open(page, game, number, words) {
  await page.goto(`${server.url}/puzzles/${game}/${number}`)
  await card(page).getByText(words.ask).waitFor()
  await page.locator('.choice').first().waitFor()
}

/** Answer as somebody who looks no further would; whether it was right. */
async function answer(page, game, words, act = clicking) {
  await PLAYERS[game](page, act)
  const told = card(page).getByText(new RegExp(`${words.wrong.source}|${words.right.source}`))
  await told.waitFor()
  return words.right.test(await card(page).innerText())
}

for (const [language, words] of Object.entries(WORDS))
  test(`today's puzzle of every game opens from the overview (${language})`, async () => {
    const page = await person(browser, { language })
    await page.goto(`${server.url}/puzzles`)
    await page.getByRole('heading', { level: 1, name: words.title }).waitFor()
    assert.equal(await page.locator('main li.panel').count(), GAMES.length)
    assert.deepEqual(await flaws(page), [])
    await page.getByRole('link', { name: words.solve }).first().click()
    await card(page).getByText(words.ask).waitFor()
    assert.match(page.url(), /\/puzzles\/\w+\/\d+$/)
    assert.deepEqual(page.problems, [])
    await page.context().close()
  })

for (const [language, words] of Object.entries(WORDS))
  for (const game of GAMES)
    test(`an answer in ${game} is told with its chance, then shown and explained (${language})`, async () => {
      const page = await person(browser, { language })
      await open(page, game, 1, words)
      assert.deepEqual(await flaws(page), [])
      if (!(await answer(page, game, words))) {
        assert.match(await card(page).innerText(), words.against)
        await page.getByRole('button', { name: words.show }).click()
      }
      await card(page).getByText(words.right).waitFor()
      assert.match(await card(page).innerText(), words.rating)
      assert.deepEqual(await flaws(page), [])
      await page.getByRole('button', { name: words.next }).click()
      await page.waitForURL(/\/puzzles\/\w+\/(?!1$)\d+$/)
      await card(page).getByText(words.ask).waitFor()
      assert.deepEqual(page.problems, [])
      await page.context().close()
    })

test('a puzzle is answered by keys alone, and once more from its beginning', async () => {
  const page = await person(browser)
  const words = WORDS.en
  await open(page, 'chariot_race', 1, words)
  if (!(await answer(page, 'chariot_race', words, keying)))
    await keying(page, page.getByRole('button', { name: words.show }))
  await card(page).getByText(words.right).waitFor()
  assert.equal(
    await page.evaluate(() => document.activeElement?.textContent?.trim()),
    words.next,
    'the way on has the focus',
  )
  await keying(page, page.getByRole('button', { name: words.again }))
  await card(page).getByText(words.ask).waitFor()
  await page.context().close()
})

test('one plays on from a puzzle against bots', async () => {
  const page = await person(browser)
  const words = WORDS.en
  await open(page, 'charioteer', 1, words)
  if (!(await answer(page, 'charioteer', words))) await page.getByRole('button', { name: words.show }).click()
  await page.getByRole('button', { name: words.on }).click()
  await page.waitForURL(/\/t\/\w+/)
  await page.locator('.status.mine').waitFor()
  assert.deepEqual(page.problems, [])
  await page.context().close()
})

test('a right answer raises the rating and the streak of whoever gives it', async () => {
  const page = await person(browser)
  await page.goto(`${server.url}/puzzles`)
  const told = await page.evaluate(async () => {
    const ask = async (path, body) =>
      (
        await fetch(`/api${path}`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).json()
    await ask('/guests', { name: 'Ana' })
    const { games } = await (await fetch('/api/puzzles')).json()
    const path = `/puzzles/chariots/${games.chariots.today}`
    const { view } = await (await fetch(`/api${path}`)).json()
    for (const action of view.legal) {
      const answer = await ask(path, { action })
      if (answer.right) return answer
    }
  })
  assert.equal(told.streak, 1)
  await page.reload()
  await page.getByText('1 day in a row').waitFor()
  await page.getByText('Solved today').waitFor()
  await page.context().close()
})

test('on a phone nothing is cut off and the board stays in sight', async () => {
  const page = await person(browser, {}, PHONE)
  await page.goto(`${server.url}/puzzles`)
  await page.getByRole('heading', { level: 1, name: 'Puzzles' }).waitFor()
  assert.deepEqual(await cramped(page), [])
  for (const game of GAMES) {
    await open(page, game, 1, WORDS.en)
    assert.deepEqual(await cramped(page), [], game)
    const { height } = await page.locator('.stagebox').boundingBox()
    assert.ok(height > 150, `${game}: the board is ${height} high`)
  }
  await page.context().close()
})
