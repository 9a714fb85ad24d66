import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { findChromium, firstThatStarts, launchChromium, type Source } from './chromium.ts'
import { cachedFolder } from './sources/cached-folder.ts'
import { writeLauncher } from './sources/launcher.ts'

describe('the browser of the tests', () => {
  let folder: string
  let working: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'punctual-chromium-'))
    working = (await findChromium()).path
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const source = (name: string, ...paths: string[]): Source => ({ name, paths: async () => paths })
  const without = (name: string, reason: string): Source => ({
    name,
    paths: () => Promise.reject(new Error(reason)),
  })

  async function script(lines: string): Promise<string> {
    const path = join(folder, 'browser')
    await writeFile(path, `#!/bin/sh\n${lines}\n`, { mode: 0o755 })
    return path
  }

  it('is the first that starts, and says which one did not', async () => {
    const broken = await script('echo "no display" >&2; exit 3')
    const { path, sentence } = await firstThatStarts([
      without('first', 'it is not set'),
      source('second', broken, working),
      source('third', broken),
    ])
    assert.equal(path, working)
    assert.match(
      sentence,
      /^Chromium [\d.]+, second; second \(.*\) does not start: it ended with code 3: no display$/,
    )
  })

  it('is not looked for beyond the first that starts', async () => {
    const never: Source = { name: 'never', paths: () => assert.fail('asked') }
    assert.equal((await firstThatStarts([source('first', working), never])).path, working)
  })

  it('says in one sentence why none starts', async () => {
    for (const [lines, reason] of [
      [
        'echo "browser: error while loading shared libraries: libx.so.1: cannot open shared object file" >&2; exit 127',
        'libx.so.1: cannot open shared object file',
      ],
      ['echo "no display" >&2; exit 3', 'it ended with code 3: no display'],
      ['kill -9 $$', 'it ended with SIGKILL'],
    ] as const) {
      const path = await script(lines)
      const sentence = `No browser starts: one (${path}) does not start: ${reason}; two: none is there.`
      await assert.rejects(firstThatStarts([source('one', path), without('two', 'none is there')]), {
        message: sentence,
        stack: sentence,
      })
    }
  })

  it('is launched again from where it was found', async () => {
    const browser = await launchChromium()
    assert.ok(browser.version())
    await browser.close()
  })

  it('is unpacked whole when several processes need it at once', async () => {
    const cache = join(folder, 'cache')
    const bothFill = Promise.withResolvers<void>()
    let filling = 0
    const fill = async (unfinished: string) => {
      if (++filling === 2) bothFill.resolve()
      await bothFill.promise
      await writeFile(join(unfinished, 'browser'), 'whole')
    }
    const folders = await Promise.all([
      cachedFolder(cache, 'browser-1', fill),
      cachedFolder(cache, 'browser-1', fill),
    ])
    assert.deepEqual(folders, [join(cache, 'browser-1'), join(cache, 'browser-1')])
    assert.deepEqual(await readdir(cache), ['browser-1'])
    assert.equal(await readFile(join(cache, 'browser-1', 'browser'), 'utf8'), 'whole')
    await cachedFolder(cache, 'browser-1', () => assert.fail('filled again'))
  })

  it('leaves nothing in the cache when it cannot be unpacked', async () => {
    const cache = join(folder, 'empty')
    await assert.rejects(
      cachedFolder(cache, 'browser-1', () => Promise.reject(new Error('no room'))),
      /no room/,
    )
    assert.deepEqual(await readdir(cache), [])
  })

  it('gets its own libraries before those of the system, and its own fonts', async () => {
    const unpacked = await mkdtemp(join(folder, "it's unpacked "))
    const print = '#!/bin/sh\necho "$LD_LIBRARY_PATH|$FONTCONFIG_FILE|$*"\n'
    await writeFile(join(unpacked, 'browser'), print, { mode: 0o755 })
    await writeLauncher(unpacked, { browser: 'browser', libraries: ['lib', 'usr/lib'], fonts: 'fonts' })
    const { stdout } = await promisify(execFile)(join(unpacked, 'launch'), ['--headless'], {
      env: { ...process.env, LD_LIBRARY_PATH: '/system' },
    })
    assert.equal(stdout, `${unpacked}/lib:${unpacked}/usr/lib:/system|${unpacked}/fonts.conf|--headless\n`)
  })
})
