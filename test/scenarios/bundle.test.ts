import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readRelease } from '../../src/version.ts'
import { bundleStaleServer } from '../../tools/bundle.ts'
import { SERVE_FLAGS } from '../../tools/serve-flags.mjs'
import { SERVER } from '../../tools/stamps.mjs'
import { BARE_ENVIRONMENT } from '../bare-environment.ts'
import { addEventType, addUser, bookingOf } from '../kit.ts'
import { alwaysOpen, connectTo, FUTURE_MIDNIGHT, freshHome, startServer } from '../server-process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

describe('the bundle that `npm start` runs', () => {
  before(bundleStaleServer)

  it('is one file until something is needed that few servers need', () => {
    const main = readFileSync(join(root, SERVER.bundle), 'utf8')
    assert.match(main, /^function startWorker\(/m)
    assert.doesNotMatch(main, /^(?:let|const|var) .*= require\("\.\//m)
  })

  it('leaves the client for `fetch` to those who use it', () => {
    // It ends at this setting, with all modules of a start loaded.
    const code = `process.on('exit', () => process._rawDebug(process.moduleLoadList.join('\\n')))
      process.env.PORT = 'none'
      require(${JSON.stringify(join(root, SERVER.main))})`
    const { status, stderr } = spawnSync(process.execPath, ['--eval', code], {
      encoding: 'utf8',
      env: BARE_ENVIRONMENT,
    })
    assert.equal(status, 1, stderr)
    assert.match(stderr, /^PORT must be/)
    assert.match(stderr, / http$/m)
    assert.doesNotMatch(stderr, /undici/)
  })

  it('comes with compiled code that V8 takes', () => {
    const code = `process.env.PORT = 'none'
      process._rawDebug(require(${JSON.stringify(join(root, SERVER.main))}).script.cachedDataRejected)`
    const args = [...SERVE_FLAGS, '--eval', code]
    const { stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: BARE_ENVIRONMENT })
    assert.match(stderr, /^false\n/)
  })

  for (const engine of ['sqlite', 'postgres'] as const) {
    it(`finds what its sources find: texts, pages, release, mail, on ${engine}`, async () => {
      const home = await freshHome(engine)
      after(() => home.remove())
      const ada = await addUser(home.db, 'ada', alwaysOpen)
      const eventType = await addEventType(home.db, ada)
      const server = await startServer(home, {}, join(root, SERVER.main))
      const client = connectTo(server)
      const book = (headers = {}) =>
        client.post(
          `/api/public/scheduling/ada/${eventType.slug}/book`,
          bookingOf(eventType, FUTURE_MIDNIGHT),
          headers,
        )
      const first = await book()
      assert.equal(first.status, 201, JSON.stringify(first.body))
      const english = await book()
      const german = await book({ 'accept-language': 'de' })
      assert.deepEqual([english.status, german.status], [400, 400])
      assert.notDeepEqual(german.body, english.body)

      const address = `http://127.0.0.1:${server.port}`
      const page = await fetch(`${address}/ada/${eventType.slug}`)
      assert.equal(page.status, 200)
      const script = /\/assets\/[\w-]+\.js/.exec(await page.text())?.[0] ?? assert.fail('no script')
      assert.equal((await fetch(new URL(script, address))).status, 200)
      const { version, commit } = readRelease()
      assert.deepEqual(await (await fetch(`${address}/healthz`)).json(), { status: 'ok', version, commit })

      while (!server.output().includes('Mail to ')) await sleep(20)
      client.close()
      server.send('SIGTERM')
      assert.deepEqual(await server.exited, { code: 0, signal: null })
      assert.doesNotMatch(server.output(), /"level":(?:40|50|60)/)
    })
  }
})
