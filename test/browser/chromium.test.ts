import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { launchChromium, unpack } from './chromium.ts'

describe('the browser of the tests', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'punctual-chromium-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  async function launchScript(script: string): Promise<unknown> {
    const path = join(folder, 'browser')
    await writeFile(path, `#!/bin/sh\n${script}\n`)
    await chmod(path, 0o755)
    const named = process.env.TEST_BROWSER
    process.env.TEST_BROWSER = path
    try {
      return await launchChromium()
    } finally {
      if (named === undefined) delete process.env.TEST_BROWSER
      else process.env.TEST_BROWSER = named
    }
  }

  it('says in one sentence why it does not start', async () => {
    const browser = join(folder, 'browser')
    for (const [script, reason] of [
      [
        'echo "browser: error while loading shared libraries: libx.so.1: cannot open shared object file" >&2; exit 127',
        'libx.so.1: cannot open shared object file',
      ],
      ['echo "no display" >&2; exit 3', 'it ended with code 3: no display'],
      ['kill -9 $$', 'it ended with SIGKILL'],
    ] as const) {
      const sentence = `${browser} does not start: ${reason}`
      await assert.rejects(launchScript(script), { message: sentence, stack: sentence })
    }
  })

  it('is unpacked whole when several processes need it at once', async () => {
    const cache = join(folder, 'cache')
    const sizeOfUnpacked = async () => (await stat((await unpack(cache)).path)).size
    const [first, second] = await Promise.all([sizeOfUnpacked(), sizeOfUnpacked()])
    assert.ok(first > 100_000_000, `${first} bytes`)
    assert.equal(first, second)
    assert.equal((await readdir(cache)).length, 1)
  })
})
