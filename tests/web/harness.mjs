// A real server and a real Chromium; people are played by clicks or keys on what the page shows.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const require = createRequire(join(ROOT, 'web/package.json'))
const { chromium } = require('playwright-core')
export const AXE = require.resolve('axe-core/axe.min.js')

const BROWSERS = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** A browser of the machine; `make chromium` sees to it that there is one. */
export async function openBrowser() {
  const executablePath = BROWSERS.find((path) => path && existsSync(path))
  if (!executablePath)
    throw new Error('There is no Chromium: run make chromium, or name one with CHROMIUM=...')
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
}

export class Server {
  /** With more environment, if a test needs some. */
  constructor(environment = {}) {
    this.environment = environment
    this.folder = mkdtempSync(join(tmpdir(), 'quadriga-web-'))
    this.port = 0
  }

  /** Start, at the same port and with the same database as before; ready means that all games are compiled. */
  async start({ untilReady = true } = {}) {
    const arguments_ = [
      'serve',
      '--port',
      String(this.port),
      '--database',
      join(this.folder, 'tables.sqlite'),
    ]
    this.process = spawn(join(ROOT, '.venv/bin/quadriga'), arguments_, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, QUADRIGA_REQUESTS_PER_SECOND: '500', ...this.environment },
    }) // everybody here comes from one address
    let said = ''
    this.process.stderr.on('data', (text) => (said += text))
    this.url = await new Promise((resolve, reject) => {
      this.process.stdout.on('data', (text) => {
        said += text
        const match = /at (http:\/\/\S+)/.exec(said)
        if (match) resolve(match[1].replace(/\/$/, ''))
      })
      this.process.on('exit', (code) => reject(new Error(`the server ended with ${code}:\n${said}`)))
    })
    this.port = new URL(this.url).port
    while (untilReady) {
      const answer = await fetch(`${this.url}/api/ready`).catch(() => null)
      if (answer?.ok) return this
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    return this
  }

  /** As if the power failed. */
  async kill() {
    this.process.removeAllListeners('exit')
    const gone = new Promise((resolve) => this.process.once('exit', resolve))
    this.process.kill('SIGKILL')
    await gone
  }

  async stop() {
    this.process.removeAllListeners('exit')
    const gone = new Promise((resolve) => this.process.once('exit', resolve))
    this.process.kill('SIGTERM')
    await gone
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** The games, each with the options of its shortest race. */
export const GAMES = [
  ['charioteer', { laps: 1 }],
  ['chariot_race', {}],
  ['chariots', { laps: 1 }],
]

export const SCREENS = {
  laptop: { width: 1366, height: 768 },
  desktop: { width: 1920, height: 1080 },
  tablet: { width: 1180, height: 820 },
  phone: { width: 390, height: 844 },
}

/**
 * A server and a browser for all tests of a file: started before the first, ended after the last.
 * What else the tests need comes from `prepare`: hooks of a file do not wait for each other.
 */
export function openSite({ environment, untilReady, prepare } = {}) {
  const server = new Server(environment)
  let browser
  before(async () => {
    await server.start({ untilReady })
    browser = await openBrowser()
    await prepare?.()
  })
  after(async () => {
    await browser?.close()
    await server.stop()
  })
  return { server, person: (settings, options) => person(browser, settings, options) }
}

const QUIET = { speed: 0, coached: ['all'], language: 'en' }

/** A page of a person of its own, with settings as if chosen earlier. */
export async function person(browser, settings = {}, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options })
  await context.addInitScript(
    (kept) => {
      if (!localStorage.getItem('quadriga.settings'))
        localStorage.setItem('quadriga.settings', JSON.stringify(kept))
    },
    { ...QUIET, ...settings },
  )
  const page = await context.newPage()
  page.problems = []
  page.on('pageerror', (error) => page.problems.push(error.message))
  page.setDefaultTimeout(60_000)
  return page
}

/** Wait until this person is asked, or the race is over: 'turn', 'over'. */
export async function awaited(page) {
  const found = await page.waitForFunction(
    () => {
      if (document.querySelector('dialog[open] .places')) return 'over'
      if (document.querySelector('.cover')) return 'cover'
      return document.querySelector('.status.mine') ? 'turn' : null
    },
    null,
    { timeout: 120_000 },
  )
  return found.jsonValue()
}

const number = (text) => Number(/-?\d+/.exec(text ?? '')?.[0] ?? 0)

/** What axe-core finds serious or worse. */
export async function flaws(page) {
  await page.evaluate(readFileSync(AXE, 'utf8'))
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }))
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 160)} (${nodes.length})`)
}

/** Things wider than the screen, and buttons too small for a thumb. */
export async function cramped(page) {
  return page.evaluate(() => {
    const wide =
      document.documentElement.scrollWidth > innerWidth
        ? [`page ${document.documentElement.scrollWidth}`]
        : []
    const small = [...document.querySelectorAll('main .btn')]
      .filter((button) => button.checkVisibility() && button.getBoundingClientRect().height < 36)
      .map((button) => button.textContent.trim())
    return [...wide, ...small]
  })
}

/** A click of the mouse and nothing else, for what is measured. */
export async function tapping(page, target) {
  await target.scrollIntoViewIfNeeded()
  const { x, y, width, height } = await target.boundingBox()
  await page.mouse.click(x + width / 2, y + height / 2)
}

/** How each choice is made: by a click, or by keys alone. */
export async function clicking(_page, target) {
  const curved = await target.evaluate((element) => element.tagName === 'g')
  await (curved ? target.locator('circle, rect').first() : target).click()
}
export async function keying(page, target) {
  const handle = await target.elementHandle()
  for (let i = 0; i < 400; i++) {
    if (await handle.evaluate((element) => element === document.activeElement))
      return page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
  }
  throw new Error('the keyboard does not reach it')
}

const labelsOf = (page) =>
  page.locator('.target').evaluateAll((targets) => targets.map((target) => target.getAttribute('aria-label')))

async function playChariots(page, act) {
  if (await page.locator('button.coin:not([disabled])').count()) {
    for (const coin of ['3', '2', '4'])
      await act(page, page.locator(`button.coin[data-coin="${coin}"]:not([disabled])`).first())
    return act(page, page.locator('.choice .btn.primary').first())
  }
  await page.waitForFunction(
    () => !document.querySelector('.target:is([aria-label^="Drive to"], [aria-label^="Ir a "])'),
  )
  const put = page.locator('.target.push')
  if (await put.count()) return act(page, put.first())
  const labels = await labelsOf(page)
  if (!labels.length) return act(page, page.locator('.choice .btn').last())
  const worth = labels.map((label) => {
    if (/back|atrás/.test(label)) return 0
    return /ahead|delante/.test(label) ? 2 : 1
  })
  const best = worth.indexOf(Math.max(...worth))
  await act(page, page.locator('.target').nth(best))
  if (!worth[best]) return act(page, page.getByRole('button', { name: /^(Yes|Sí)$/ }))
  if (await put.count()) await act(page, put.first())
}

async function playChariotRace(page, act) {
  const go = page.locator('.choice .go')
  if (await go.count()) return act(page, go)
  const labels = await labelsOf(page)
  const drive = await page
    .locator('.choice')
    .getByText(/to drive|por correr/)
    .count()
  if (drive && labels.length) {
    const cost = labels.map((label) =>
      /wreck|destroz/.test(label) ? 99 : number(/(?:damage|daño) \d+/.exec(label)?.[0]),
    )
    await act(page, page.locator('.target').nth(cost.indexOf(Math.min(...cost))))
    return act(page, go)
  }
  const primary = page.locator('.choice .btn.primary')
  if (await primary.count()) return act(page, primary.first())
  const pass = page.getByRole('button', { name: /End my turn|Terminar mi turno/ })
  if (await pass.count()) return act(page, pass)
  const pace = page.locator('.pace')
  return act(page, (await pace.count()) ? pace.nth(0) : page.locator('.choice .btn').first())
}

async function playCharioteer(page, act) {
  await page.locator('.ideas').first().waitFor({ state: 'attached' })
  const idea = page.locator('.idea').first()
  if (await idea.count()) await act(page, idea)
  else {
    await act(page, page.getByRole('button', { name: /Change cards instead|Mejor cambiar cartas/ }))
    await act(page, page.locator('.held').first())
  }
  await act(page, page.locator('.go'))
}

export const PLAYERS = { chariots: playChariots, chariot_race: playChariotRace, charioteer: playCharioteer }

/** Play until the race is over, at most so many choices; says how many were made. */
export async function race(page, game, { act = clicking, most = 2000, until = () => false } = {}) {
  for (let choices = 0; choices < most; choices++) {
    if (until(choices)) return choices
    const what = await awaited(page)
    if (what === 'over') return choices
    if (what === 'cover') {
      await page.locator('.cover .btn').click()
      continue
    }
    const before = await page.evaluate(() => document.querySelector('.choice')?.dataset.seq)
    await PLAYERS[game](page, act)
    await page.waitForFunction(
      (seq) =>
        document.querySelector('.choice')?.dataset.seq !== seq ||
        document.querySelector('.choice')?.dataset.chosen === 'yes' ||
        document.querySelector('.cover, dialog[open] .places') !== null,
      before,
    )
  }
  throw new Error(`the race was not over after ${most} choices`)
}

/** From the home page to the first choice of a short race against bots. */
export async function againstBots(page, url, game, options = {}, seats = 2) {
  await page.goto(url)
  return page.evaluate(
    async ([name, chosen, count]) => {
      const ask = async (path, body) => {
        const answer = await fetch(`/api${path}`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        })
        if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
        return answer.json()
      }
      const { bots } = await fetch('/api/about').then((answer) => answer.json())
      await ask('/guests', { name: 'Ana' })
      const { table } = await ask('/tables', {
        game: name,
        options: chosen,
        pace_ms: 0,
        seats: [{ kind: 'me' }, ...Array.from({ length: count - 1 }, () => ({ kind: bots[0] }))],
      })
      await ask(`/tables/${table.id}/commands`, { type: 'start', table: table.id })
      return table.id
    },
    [game, options, seats],
  )
}

/** A line to a server that can fall silent without being closed, as when a phone leaves its network. */
export class Line {
  constructor(server) {
    this.server = server
    this.pairs = new Set()
    this.isSilent = false
  }

  async start() {
    this.listener = createServer((near) => this.connect(near))
    await new Promise((resolve) => this.listener.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${this.listener.address().port}`
    return this
  }

  connect(near) {
    const far = connect(Number(this.server.port), '127.0.0.1')
    const pair = [near, far]
    this.pairs.add(pair)
    for (const [one, other] of [pair, [far, near]]) {
      one.on('data', (bytes) => this.isSilent || other.write(bytes))
      one.on('error', () => undefined)
      one.on('close', () => {
        this.pairs.delete(pair)
        if (!this.isSilent) other.destroy()
      })
    }
  }

  /** From now on nothing passes, and nobody is told. */
  silence() {
    this.isSilent = true
  }

  /** New connections work again; the silent ones stay dead. */
  mend() {
    this.isSilent = false
    for (const pair of this.pairs) for (const socket of pair) socket.removeAllListeners('data')
  }

  async stop() {
    for (const pair of this.pairs) for (const socket of pair) socket.destroy()
    await new Promise((resolve) => this.listener.close(resolve))
  }
}
