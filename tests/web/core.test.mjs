// The page in a real browser against a real server: what must hold before every commit.
import assert from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { againstBots, awaited, cramped, flaws, GAMES, openSite, race, ROOT } from './harness.mjs'

const { server, person } = openSite()

test('one click leads from the home page to the first choice', async () => {
  const page = await person()
  await page.goto(server.url)
  await page
    .locator('article', { hasText: 'Chariots' })
    .getByRole('button', { name: 'Race the bots' })
    .click()
  assert.equal(await awaited(page), 'turn')
  assert.equal(await page.locator('.coin').count(), 4)
  assert.deepEqual(page.problems, [])
  await page.context().close()
})

for (const [game, options, seats] of [
  ['chariots', { laps: 1 }, 2],
  ['chariot_race', {}, 4],
  ['charioteer', { laps: 1 }, 3],
]) {
  test(`a whole race of ${game} by clicks`, async () => {
    const page = await person()
    const table = await againstBots(page, server.url, game, options, seats)
    await page.goto(`${server.url}/t/${table}`)
    const choices = await race(page, game)
    assert.ok(choices > 3, `only ${choices} choices`)
    assert.ok((await page.locator('dialog[open] .places li').count()) === seats)
    assert.ok((await page.locator('.log li').count()) > 10)
    assert.deepEqual(page.problems, [])
    assert.deepEqual(await flaws(page), [], 'after the race')
    await page.goto(`${server.url}/t/${table}#step=1`)
    await page.waitForSelector('.bar input[type=range]')
    assert.deepEqual(await flaws(page), [], 'replay')
    await page.getByRole('button', { name: 'Check the dice' }).click()
    await page
      .getByText(/Dice and draws worked out anew from the seed: .* They are those of the race/)
      .waitFor()
    await page.context().close()
  })
}

test('script and style are at most 150 KB gzipped', () => {
  const assets = join(ROOT, 'src/quadriga/server/static/assets')
  const code = readdirSync(assets).filter((name) => /\.(js|css)\.gz$/.test(name))
  const bytes = code.reduce((sum, name) => sum + statSync(join(assets, name)).size, 0)
  assert.ok(code.length > 5 && bytes <= 150 * 1024, `${bytes} bytes`)
})

test('a half-made choice outlives a reload, and is still there after the server was killed', async () => {
  const page = await person()
  const table = await againstBots(page, server.url, 'chariots', { laps: 1 })
  await page.goto(`${server.url}/t/${table}`)
  await page.locator('.coin[data-coin="4"]').click()
  await page.locator('.coin[data-coin="2"]').click()
  const laid = () => page.locator('.slot svg').count()
  assert.equal(await laid(), 2)
  await page.reload()
  await page.waitForSelector('.slot svg')
  assert.equal(await laid(), 2)
  await server.kill()
  await page.waitForSelector('.lost')
  await server.start()
  await page.waitForSelector('.lost', { state: 'detached' })
  assert.equal(await laid(), 2)
  await page.locator('.coin[data-coin="3"]').click()
  await page.locator('.choice .btn.primary').first().click()
  await awaited(page)
  await page.context().close()
})

test('two browsers meet by the invitation link and race', async () => {
  const host = await person({ name: 'Ana' })
  await host.goto(`${server.url}/new/chariot_race#mode=friends`)
  await host.getByRole('button', { name: 'Make the invitation' }).click()
  const link = await host.getByRole('textbox', { name: 'Invitation link' }).inputValue()
  const guest = await person({ name: 'Ben' })
  await guest.goto(link)
  await guest.getByRole('button', { name: 'Sit here' }).click()
  await host.getByRole('button', { name: 'Start the race' }).click()
  await Promise.all([host, guest].map((page) => page.waitForSelector('.table')))
  const [first, second] = (await host.locator('.status.mine').count()) ? [host, guest] : [guest, host]
  await awaited(first)
  assert.match(await second.locator('.status').innerText(), /Waiting for (Ana|Ben)|race is on/)
  await race(first, 'chariot_race', { until: (choices) => choices === 2 })
  await host.getByRole('button', { name: 'Chat' }).click()
  await host.getByLabel('Say something').fill('Ave!')
  await host.getByRole('button', { name: 'Send' }).click()
  await guest.getByRole('button', { name: /Chat/ }).click()
  await guest.getByText('Ave!').waitFor()
  assert.deepEqual([...host.problems, ...guest.problems], [])
  await Promise.all([host.context().close(), guest.context().close()])
})

test('the rules open at the rule in play, with tables and lists, and are searched', async () => {
  const page = await person()
  const table = await againstBots(page, server.url, 'chariot_race', {}, 2)
  await page.goto(`${server.url}/t/${table}`)
  await awaited(page)
  await page.getByRole('button', { name: 'Rules' }).click()
  await page.locator('section.now').waitFor()
  const rules = page.locator('dialog[open] section')
  const all = await rules.count()
  assert.ok((await page.locator('dialog[open] td').count()) > 5)
  assert.ok((await page.locator('dialog[open] strong').count()) > 5)
  assert.equal(await page.locator('dialog[open] section a').count(), 0)
  await page.getByRole('searchbox').fill('Caltrop')
  await page.waitForFunction((count) => document.querySelectorAll('dialog[open] section').length < count, all)
  for (const text of await rules.allInnerTexts()) assert.match(text, /caltrop/i)
})

test('a link for another device asks before it changes who one is', async () => {
  const [maker, page] = [await person(), await person()]
  for (const [one, name] of [
    [maker, 'Livia'],
    [page, 'Otho'],
  ])
    assert.ok((await one.request.post(`${server.url}/api/guests`, { data: { name } })).ok())
  const { code } = await (await maker.request.post(`${server.url}/api/me/link`)).json()
  const name = async () => (await (await page.request.get(`${server.url}/api/me`)).json()).guest.name
  for (const [answer, after] of [
    ['Stay who I am', 'Otho'],
    ['Become Livia', 'Livia'],
  ]) {
    await page.goto(`${server.url}/`)
    await page.goto(`${server.url}/#carry=${code}`)
    const dialog = page.locator('dialog[open]')
    await dialog.getByText('This link makes this browser Livia').waitFor()
    await dialog.getByText('This browser is Otho now').waitFor()
    assert.equal(await name(), 'Otho', 'nothing changes before the answer')
    await dialog.getByRole('button', { name: answer }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.waitForFunction(() => !location.hash)
    assert.equal(await name(), after)
  }
  assert.deepEqual(page.problems, [])
  await maker.context().close()
  await page.context().close()
})

test("Spanish throughout, by the browser's language", async () => {
  const page = await person({ language: undefined }, { locale: 'es-ES' })
  await page.goto(server.url)
  await page.getByRole('heading', { name: '¡A las carreras!' }).waitFor()
  await page
    .locator('article', { hasText: 'Chariots' })
    .getByRole('button', { name: 'Correr contra bots' })
    .click()
  await page.getByText('Coloca tres monedas').first().waitFor()
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'es')
  await page.context().close()
})

for (const [device, viewport] of [
  ['a phone of 360 pixels', { width: 360, height: 740 }],
  ['a tablet', { width: 820, height: 1180 }],
]) {
  test(`${device}: nothing is wider than the screen, targets are large enough`, async () => {
    const page = await person({}, { viewport, hasTouch: true })
    await page.goto(server.url)
    await page.waitForSelector('article')
    assert.deepEqual(await cramped(page), [], 'home')
    for (const [game, options] of GAMES) {
      const table = await againstBots(page, server.url, game, options)
      await page.goto(`${server.url}/t/${table}`)
      await awaited(page)
      assert.deepEqual(await cramped(page), [], game)
    }
    await page.context().close()
  })
}

test('axe-core finds nothing serious on any screen, by day and by night', async () => {
  for (const theme of ['light', 'dark']) {
    const page = await person({ theme })
    const clean = async (screen) => assert.deepEqual(await flaws(page), [], `${screen}, ${theme}`)
    await page.goto(server.url)
    await page.waitForSelector('article')
    await clean('home')
    await page.getByRole('button', { name: 'Settings' }).click()
    await clean('settings')
    await page.goto(`${server.url}/new/chariots#mode=friends`)
    await page.waitForSelector('form')
    await page.locator('summary').click()
    await clean('new table')
    await page.getByRole('button', { name: 'Make the invitation' }).click()
    await page.waitForSelector('.share')
    await page.locator('summary').click()
    await clean('waiting room')
    for (const [game, options] of GAMES) {
      const table = await againstBots(page, server.url, game, options)
      await page.goto(`${server.url}/t/${table}`)
      await awaited(page)
      await clean(game)
    }
    await page.getByRole('button', { name: 'Rules' }).click()
    await page.waitForSelector('[data-rule="CT-2"]')
    await clean('rules')
    await page.context().close()
  }
})
