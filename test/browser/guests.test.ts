import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { openStage, type Stage } from './stage.ts'

const EMPTY = '/assets/punctual-mark-2.svg'
const DARK_PHONE = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' } as const

describe('guests of the tests', () => {
  let stage: Stage

  before(async () => {
    stage = await openStage()
  })
  after(() => stage?.close())

  const seen = (page: Page) =>
    page.evaluate(async (address) => {
      const answer = await fetch(address, { cache: 'no-store' })
      return {
        stored: [Object.keys(localStorage), Object.keys(sessionStorage), document.cookie],
        answer: [answer.status, (await answer.text()).includes('<svg')],
        width: innerWidth,
        isDark: matchMedia('(prefers-color-scheme: dark)').matches,
        left: (window as { left?: string }).left,
        now: Date.now(),
      }
    }, EMPTY)

  it('come one after the other with the same window, and find nothing of those before', async () => {
    const first = await stage.visit(EMPTY)
    const fresh = await seen(first)
    await stage.endTest()
    const second = await stage.visit(EMPTY, DARK_PHONE)
    assert.equal(second, first)
    assert.deepEqual(await seen(second), { ...fresh, width: 360, isDark: true })
    await second.evaluate(() => {
      localStorage.setItem('left', 'here')
      sessionStorage.setItem('left', 'here')
      Object.assign(window, { left: 'here' })
    })
    await second.context().addCookies([{ name: 'left', value: 'here', url: stage.url }])
    assert.match((await seen(second)).stored.join(), /left.*left.*left/)
    let heard = 0
    second.on('request', () => {
      heard++
    })
    await second.route('**/*', (route) => route.fulfill({ status: 404, body: 'Not here' }))
    await second.goto(stage.url)
    await second.context().newPage()
    await second.context().setOffline(true)
    assert.equal(heard, 1)
    await stage.endTest()
    const third = await stage.visit(EMPTY)
    assert.equal(third, first)
    assert.deepEqual(await seen(third), fresh)
    assert.equal(third.context().pages().length, 1)
    assert.equal(heard, 1)
    await stage.endTest()
  })

  it('have a window of their own at the same time, or with other options', async () => {
    const [first, second] = [await stage.visit(EMPTY), await stage.visit(EMPTY)]
    const french = await stage.visit(EMPTY, { locale: 'fr-FR' })
    await first.evaluate(() => localStorage.setItem('mine', 'yes'))
    assert.equal(await second.evaluate(() => localStorage.length), 0)
    assert.equal(await french.evaluate(() => navigator.language), 'fr-FR')
    await stage.endTest()
    assert.notEqual(await stage.visit(EMPTY, { locale: 'ja-JP' }), french)
    await stage.endTest()
  })

  it('leave no script and no other time to those who follow', async () => {
    for (const change of [
      (page: Page) => page.addInitScript(() => Object.assign(window, { left: 'here' })),
      (page: Page) => page.clock.fastForward(1000),
      async (page: Page) => (await page.context().newPage()).clock.setFixedTime(0),
      async (page: Page) => void (await page.context().newCDPSession(page)),
      (page: Page) => page.close(),
    ]) {
      const page = await stage.visit(EMPTY)
      const fresh = await seen(page)
      await change(page)
      await stage.endTest()
      const other = await stage.visit(EMPTY)
      assert.notEqual(other, page)
      assert.deepEqual(await seen(other), fresh)
      await stage.endTest()
    }
  })
})
