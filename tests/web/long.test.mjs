// Longer runs of the page: keys alone, one screen for several players, replays, hints, and what hosts may do.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { againstBots, awaited, flaws, GAMES, keying, openSite, race, ROOT } from './harness.mjs'

const { server, person } = openSite()

for (const [game, options, seats] of [
  ['charioteer', { laps: 1 }, 2],
  ['chariots', { laps: 1 }, 2],
  ['chariot_race', {}, 4],
]) {
  test(`a whole race of ${game} by keys alone`, async () => {
    const page = await person()
    const table = await againstBots(page, server.url, game, options, seats)
    await page.goto(`${server.url}/t/${table}`)
    assert.ok((await race(page, game, { act: keying })) > 3)
    await page.context().close()
  })
}

test('one screen for two: secrets are covered until the right player takes it', async () => {
  const page = await person({ name: 'Ana' })
  await page.goto(`${server.url}/new/charioteer#mode=hotseat`)
  await page.getByLabel('Name at seat 2').fill('Ben')
  await page.getByRole('button', { name: 'Start the race' }).click()
  await page.getByRole('button', { name: 'I am Ana' }).click()
  await awaited(page)
  const hand = () =>
    page.locator('.held').evaluateAll((cards) => cards.map((card) => card.textContent).join())
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
  await page.locator('.chips').getByText('Turn 2').waitFor() // Ben holds the screen, so he chooses first
  await page.locator('.idea').first().click()
  await page.locator('.go').click()
  await page.waitForSelector('.cover')
  assert.match(await page.locator('.cover').innerText(), /Ana, it is your turn/)
  assert.equal(await page.locator('.held').count(), 0)
  await page.context().close()
})

test('a race goes on where it was after the server was killed in the middle', async () => {
  const page = await person()
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
  const page = await person()
  const table = await againstBots(page, server.url, 'charioteer', { laps: 1 })
  await page.goto(`${server.url}/t/${table}`)
  await race(page, 'charioteer')
  await page.goto(`${server.url}/t/${table}#step=2`)
  await page.waitForSelector('.bar input[type=range]')
  assert.match(await page.locator('.foot .bar').innerText(), /Step 2 of/)
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
  assert.match(await page.locator('.foot .bar').innerText(), new RegExp(`Step ${last - 1} of ${last}`))
  assert.match(page.url(), new RegExp(`#step=${last - 1}$`))
  await page.getByRole('button', { name: 'Check the dice' }).click()
  await page.getByText('The seed fits the fingerprint').waitFor()
  await page
    .getByText(/Dice and draws worked out anew from the seed: .* They are those of the race/)
    .waitFor()
  await page.getByText('Every step, played again from the seed').waitFor()
  await page.context().close()
})

test('a champion gives a hint, which is laid out and done by a click', async () => {
  for (const [game, options] of GAMES) {
    const page = await person()
    const table = await againstBots(page, server.url, game, options, 2)
    await page.goto(`${server.url}/t/${table}`)
    await awaited(page)
    const seq = await page.locator('.choice[data-seq]').getAttribute('data-seq')
    await page.getByRole('button', { name: 'Hint' }).click()
    await page.getByText('A champion would choose:').waitFor()
    if (game === 'charioteer') assert.ok((await page.locator('.held.up').count()) > 0)
    if (game === 'chariots') assert.equal(await page.locator('.slot svg').count(), 3)
    await page.getByRole('button', { name: 'Do it' }).click()
    await page.waitForFunction((before) => document.querySelector('.choice')?.dataset.seq !== before, seq)
    assert.deepEqual(page.problems, [])
    await page.context().close()
  }
})

test('in Chariot Race a drive is picked, shown with its dangers, and driven when confirmed', async () => {
  const page = await person()
  const table = await againstBots(page, server.url, 'chariot_race', {}, 4)
  await page.goto(`${server.url}/t/${table}`)
  for (let met = 0; met < 3;) {
    if ((await awaited(page)) === 'over') break
    if (
      await page
        .locator('.choice')
        .getByText(/to drive/)
        .count()
    ) {
      const targets = page.locator('.target')
      const seq = await page.locator('.choice').first().getAttribute('data-seq')
      for (let i = 0; i < (await targets.count()); i++) {
        const label = await targets.nth(i).getAttribute('aria-label')
        await targets.nth(i).locator('circle').click()
        const said = await page.locator('.way').innerText()
        const wreck = /wreck/.test(label)
        if (wreck) assert.match(said, /would wreck your chariot/)
        else assert.equal(/damage [1-9]/.test(label), /\d+ damage in all/.test(said), `${label}: ${said}`)
        if (!wreck) assert.equal(/ramming/.test(label), /You ram/.test(said), `${label}: ${said}`)
        if (!wreck)
          assert.equal(/over \d+ caltrop/.test(label), /over (a|\d+) caltrop/.test(said), `${label}: ${said}`)
        await page.getByRole('button', { name: 'Somewhere else' }).click()
      }
      assert.equal(await page.locator('.choice').first().getAttribute('data-seq'), seq)
      met++
    }
    await race(page, 'chariot_race', { until: (choices) => choices === 1 })
  }
  await page.context().close()
})

test('the host changes settings while friends come, mutes and sends away; anybody reports and blocks', async () => {
  const host = await person({ name: 'Ana' })
  await host.goto(`${server.url}/new/chariots#mode=friends`)
  await host.getByRole('button', { name: 'Make the invitation' }).click()
  const link = await host.getByRole('textbox', { name: 'Invitation link' }).inputValue()
  const guest = await person({ name: 'Ben' })
  await guest.goto(link)
  await guest.getByRole('button', { name: 'Sit here' }).click()
  await host.getByText('Change the settings').click()
  await host.getByLabel('Laps').fill('1')
  await host.getByLabel('Laps').blur()
  await guest.getByText(/Laps: 1/).waitFor()
  await host.getByRole('button', { name: 'More about Ben' }).click()
  await host.getByRole('button', { name: 'Mute the chat' }).click()
  await host.getByText('Ben is muted.').waitFor()
  await host.getByLabel('Report to whoever runs').fill('too slow')
  await host.getByRole('button', { name: 'Send the report' }).click()
  await host.getByText('The report was sent').waitFor()
  await host.getByRole('button', { name: 'Block' }).click()
  await host.getByText('Ben is blocked.').waitFor()
  await host.getByRole('button', { name: 'Send away' }).click()
  await host.getByRole('button', { name: 'Really send away?' }).click()
  await host.getByText('free seat').first().waitFor()
  await guest.reload()
  await guest.getByRole('button', { name: 'Sit here' }).click()
  await guest.getByRole('alert').waitFor()
  assert.deepEqual([...host.problems, ...guest.problems], [])
  await Promise.all([host.context().close(), guest.context().close()])
})

test('a link carries a person with the tables to another device, once', async () => {
  const page = await person()
  const table = await againstBots(page, server.url, 'chariots', { laps: 1 })
  await page.goto(server.url)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Make the link' }).click()
  const link = await page.getByRole('textbox', { name: 'Link for the other device' }).inputValue()
  const other = await person()
  await other.goto(link)
  await other.locator('dialog[open] .btn.primary').click()
  await other.getByText('your tables are here').waitFor()
  await other.locator(`a[href="/t/${table}"]`).waitFor()
  const third = await person()
  await third.goto(link)
  await third.getByText('This link is used up or out of date.').waitFor()
  await Promise.all([page, other, third].map((one) => one.context().close()))
})

test("a push message becomes a note in the reader's language", { timeout: 60_000 }, async () => {
  const page = await person({ language: 'es' }, { permissions: ['notifications'] })
  await page.goto(server.url)
  await page.getByRole('button', { name: 'Ajustes' }).click()
  const session = await page.context().newCDPSession(page)
  await session.send('ServiceWorker.enable')
  const registered = new Promise((resolve) =>
    session.on(
      'ServiceWorker.workerRegistrationUpdated',
      ({ registrations }) => registrations[0] && resolve(registrations[0].registrationId),
    ),
  )
  await page.getByLabel('Avísame cuando me toque').check()
  const registrationId = await registered
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.getByText(/Mientras esta página esté abierta|También con esta página cerrada/).waitFor()
  const message = { table: 'abc', game: 'chariots', seat: 0, name: 'Ana', url: '/t/abc' }
  await session.send('ServiceWorker.deliverPushMessage', {
    origin: server.url,
    registrationId,
    data: JSON.stringify(message),
  })
  const shown = await page.evaluate(async () => {
    for (;;) {
      const [note] = await (await navigator.serviceWorker.ready).getNotifications()
      if (note) return { title: note.title, body: note.body, data: note.data }
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })
  assert.deepEqual(shown, {
    title: 'Tu turno',
    body: 'Ana, se espera tu jugada en Chariots.',
    data: '/t/abc',
  })
  await page.context().close()
})

test("an edition of one's own is checked and raced with; a broken one is explained", async () => {
  const page = await person({ name: 'Ana' })
  const file = (name, text) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
  const edition = readFileSync(join(ROOT, 'src/quadriga/games/chariots/edition.toml'), 'utf8')
  await page.goto(`${server.url}/new/chariots#mode=hotseat`)
  await page.getByText('Options').click()
  await page.locator('input[type=file]').setInputFiles(file('broken.toml', 'name = '))
  await page.getByRole('alert').waitFor()
  await page
    .locator('input[type=file]')
    .setInputFiles(file('mine.toml', edition.replace(/^name = .*$/m, 'name = "my own circus"')))
  await page.getByText('Edition: my own circus').waitFor()
  await page.getByRole('button', { name: 'Start the race' }).click()
  await awaited(page)
  const told = await page.evaluate(() =>
    fetch(`/api/tables/${location.pathname.slice(3)}`).then((answer) => answer.json()),
  )
  assert.equal(told.edition.name, 'my own circus')
  await page.context().close()
})

test('by night axe-core finds nothing serious after a race, in lists, at one screen and in a hint', async () => {
  const page = await person({ theme: 'dark' })
  const table = await againstBots(page, server.url, 'chariots', { laps: 1 })
  await page.goto(`${server.url}/t/${table}`)
  await race(page, 'chariots')
  assert.deepEqual(await flaws(page), [], 'after the race')
  await page.goto(`${server.url}/t/${table}#step=3`)
  await page.waitForSelector('.bar input[type=range]')
  assert.deepEqual(await flaws(page), [], 'replay')
  await page.goto(`${server.url}/races`)
  await page.waitForSelector('main li a')
  assert.deepEqual(await flaws(page), [], 'my races')
  await page.goto(`${server.url}/new/charioteer#mode=hotseat`)
  await page.locator('form .primary').click()
  await page.waitForSelector('.cover')
  assert.deepEqual(await flaws(page), [], 'hot seat')
  await page.locator('.cover .btn').click()
  await awaited(page)
  await page.locator('.hintbtn').click()
  await page.waitForSelector('.panel.hint')
  assert.deepEqual(await flaws(page), [], 'a hint')
  await page.context().close()
})
