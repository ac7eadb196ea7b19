// Pictures of every screen by day, by night, on a phone, on a tablet and in Spanish:
// node tests/web/gallery.mjs FOLDER [LOOK...]
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { againstBots, awaited, GAMES, openBrowser, person, race, Server } from './harness.mjs'

const [folder = 'build/gallery', ...wanted] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
const laptop = { viewport: { width: 1366, height: 768 } }
const LOOKS = {
  day: [{ theme: 'light' }, laptop],
  night: [{ theme: 'dark' }, laptop],
  large: [{ theme: 'light' }, { viewport: { width: 1920, height: 1080 } }],
  phone: [
    { theme: 'light' },
    { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true },
  ],
  tablet: [{ theme: 'light' }, { viewport: { width: 1180, height: 820 }, hasTouch: true }],
  upright: [{ theme: 'light' }, { viewport: { width: 820, height: 1180 }, hasTouch: true }],
  spanish: [{ theme: 'light', language: 'es' }, laptop],
}

/** On to a drive, with a way picked. */
async function toDrive(page) {
  for (let i = 0; i < 12; i++) {
    if ((await awaited(page)) !== 'turn') return
    if (
      await page
        .locator('.choice')
        .getByText(/to drive|por correr/)
        .count()
    )
      return page.locator('.target circle').first().click()
    await race(page, 'chariot_race', { until: (choices) => choices === 1 })
  }
}

/** How fast the race moves from now on. */
async function setPace(page, speed) {
  await page.evaluate((pace) => {
    const kept = JSON.parse(localStorage.getItem('quadriga.settings'))
    localStorage.setItem('quadriga.settings', JSON.stringify({ ...kept, speed: pace }))
  }, speed)
  await page.reload()
  await awaited(page)
}

/** Before a race: home, a new table, the waiting room. */
async function shootLobby(page, url, picture) {
  await page.goto(url)
  await page.waitForSelector('article')
  await picture('home')
  await page.goto(`${url}/new/charioteer#mode=friends`)
  await page.waitForSelector('form .primary')
  await picture('new')
  await page.locator('form .primary').click()
  await page.waitForSelector('.share')
  await picture('waiting')
}

/** A race: the first choice, a hint, a later choice, the whole track, and chariots on their way. */
async function shootRace(page, url, [game, options], picture) {
  const table = await againstBots(page, url, game, options, 4)
  await page.goto(`${url}/t/${table}`)
  await awaited(page)
  await picture(`${game}-first`)
  await race(page, game, { until: (choices) => choices === (game === 'chariot_race' ? 2 : 5) })
  if ((await awaited(page)) !== 'turn') return
  await page.locator('.hintbtn').click()
  await page.waitForSelector('.panel.hint')
  await picture(`${game}-hint`)
  await page.locator('.panel.hint .icon').click()
  if (game === 'chariot_race') await toDrive(page)
  await picture(game)
  await page.keyboard.press('z')
  await picture(`${game}-whole`)
  await page.keyboard.press('z')
  await setPace(page, 1)
  await race(page, game, { until: (choices) => choices === 1 })
  await page.waitForSelector('.stage .caption', { timeout: 8000 }).catch(() => undefined)
  await picture(`${game}-racing`)
  await setPace(page, 0)
}

async function shootRules(page, picture) {
  await page.getByRole('button', { name: /Rules|Reglas/ }).click()
  await page.waitForSelector('[data-rule]')
  await picture('rules')
  await page.locator('dialog[open] figure').nth(1).scrollIntoViewIfNeeded()
  await picture('rules-picture')
}

/** After a race: the result, its replay, the check of its dice. */
async function shootAfter(page, url, picture) {
  const table = await againstBots(page, url, 'charioteer', { laps: 1 }, 4)
  await page.goto(`${url}/t/${table}`)
  await race(page, 'charioteer')
  await page.waitForSelector('dialog[open] polyline')
  await picture('after')
  await page.locator('dialog[open] .analysis[data-state="done"]').waitFor({ timeout: 120_000 })
  await page.locator('dialog[open] .analysis').evaluate((panel) => panel.scrollIntoView())
  await picture('analysis')
  await page.goto(`${url}/t/${table}#step=4`)
  await page.waitForSelector('.standings .open', { state: 'attached' })
  await picture('replay')
  await page.getByRole('button', { name: /Check the dice|Comprobar los dados/ }).click()
  await page.waitForSelector('dialog[open] dl')
  await picture('fairness')
}

/** Lessons and puzzles: what there is, and one of each. */
async function shootPractice(page, url, picture) {
  for (const [name, path, ready] of [
    ['course', '/learn/charioteer', 'main li'],
    ['lesson', '/learn/charioteer/01-a-move', '.held'],
    ['lesson-corner', '/learn/chariot_race/04-corners', '.stage'],
    ['puzzles', '/puzzles', 'main a, main .btn'],
    ['puzzle', '/puzzles/chariots/12', '.stage'],
    ['puzzle-cards', '/puzzles/charioteer/7', '.held'],
  ]) {
    await page.goto(`${url}${path}`)
    await page.waitForSelector(ready)
    await picture(name)
  }
}

/** Bots watched, with the bar of chances. */
async function shootWatching(page, url, picture) {
  await page.goto(url)
  await page
    .getByRole('button', { name: /Watch a race of champions|Ver una carrera de campeones/ })
    .first()
    .click()
  await page.waitForSelector('.evaluation', { timeout: 60_000 }).catch(() => undefined)
  await page.waitForTimeout(3000)
  await picture('watching')
}

/** A shared screen on its way to the next player, my races, the settings. */
async function shootOthers(page, url, picture) {
  await page.goto(`${url}/new/charioteer#mode=hotseat`)
  await page.locator('form .primary').click()
  await page.locator('.cover .btn').click()
  await awaited(page)
  await page.locator('.idea').first().click()
  await page.locator('.go').click()
  await page.waitForSelector('.cover')
  await picture('handover')
  await page.goto(`${url}/races`)
  await page.waitForSelector('main li a')
  await picture('races')
  await page.goto(url)
  await page.getByRole('button', { name: /Settings|Ajustes/ }).click()
  await picture('settings')
}

/** All screens in one look. */
async function shoot(browser, url, look) {
  for (const old of readdirSync(folder)) if (old.endsWith(`-${look}.png`)) rmSync(join(folder, old))
  const page = await person(browser, ...LOOKS[look])
  const picture = async (name) => {
    await page.waitForTimeout(400)
    await page.evaluate(() => window.scrollTo(0, 0))
    await page.screenshot({ path: join(folder, `${name}-${look}.png`) })
    console.log(`${name}-${look}.png`)
  }
  await shootLobby(page, url, picture)
  for (const game of GAMES) await shootRace(page, url, game, picture)
  await shootRules(page, picture)
  await shootAfter(page, url, picture)
  await shootPractice(page, url, picture)
  await shootWatching(page, url, picture)
  await shootOthers(page, url, picture)
  await page.context().close()
}

const server = await new Server().start()
const browser = await openBrowser()
try {
  for (const look of wanted.length ? wanted : Object.keys(LOOKS)) await shoot(browser, server.url, look)
} finally {
  await browser.close()
  await server.stop()
}
