// What the page costs: node tests/web/measure.mjs; prints one line of JSON.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { againstBots, awaited, openBrowser, person, race, ROOT, Server } from './harness.mjs'

const assets = join(ROOT, 'src/quadriga/server/static/assets')
const code = readdirSync(assets).filter((name) => /\.(js|css)\.gz$/.test(name) && !name.startsWith('gallery'))
const kilobytes = code.reduce((sum, name) => sum + statSync(join(assets, name)).size, 0) / 1024

const server = await new Server().start()
const browser = await openBrowser()
const page = await person(browser, { speed: 1 })
const table = await againstBots(page, server.url, 'charioteer', { laps: 1 }, 4)
const began = Date.now()
await page.goto(`${server.url}/t/${table}`)
await page.waitForSelector('.piece')
const board = Date.now() - began
await awaited(page)

const session = await page.context().newCDPSession(page)
await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
await session.send('Performance.enable')
const metrics = async () => Object.fromEntries((await session.send('Performance.getMetrics')).metrics.map(({ name, value }) => [name, value]))
await page.evaluate(() => {
  window.frames_ = 0
  window.long_ = []
  new PerformanceObserver((list) => window.long_.push(...list.getEntries().map((entry) => Math.round(entry.duration)))).observe({ entryTypes: ['longtask'] })
  const count = () => { window.frames_++; requestAnimationFrame(count) }
  requestAnimationFrame(count)
})
const before = await metrics()
await race(page, 'charioteer', { until: (choices) => choices === 2 })
await page.waitForTimeout(6000)
const after = await metrics()
const { frames, long } = await page.evaluate(() => ({ frames: window.frames_, long: window.long_ }))
const busy = (after.ScriptDuration + after.LayoutDuration + after.RecalcStyleDuration - before.ScriptDuration - before.LayoutDuration - before.RecalcStyleDuration) * 1000
console.log(JSON.stringify({ code_kb_gz: Math.round(kilobytes * 10) / 10, first_board_ms: board, frames, script_layout_ms_per_frame: Math.round((busy / frames) * 100) / 100, longest_task_ms: Math.max(0, ...long), long_tasks: long.length }))
await browser.close()
await server.stop()
