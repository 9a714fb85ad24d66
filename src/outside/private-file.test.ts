import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { readGzip, writePrivateFile } from './private-file.ts'

describe('a private file', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'punctual-file-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('can be read by its owner only, even if others could read the file it replaces', async () => {
    const path = join(folder, 'open')
    await writeFile(path, 'for everyone', { mode: 0o644 })
    await writePrivateFile(path, ['for ', 'one'])
    assert.equal(await readFile(path, 'utf8'), 'for one')
    assert.equal((await stat(path)).mode & 0o777, 0o600)
  })

  it('comes back as it was when it is compressed', async () => {
    const path = join(folder, 'compressed')
    const texts = Array.from({ length: 1000 }, (_, index) => `Zeile ${index} – ${'ä'.repeat(100)}\n`)
    await writePrivateFile(path, texts, { gzip: true })
    const pieces = await Array.fromAsync(readGzip(path))
    assert.equal(Buffer.concat(pieces).toString(), texts.join(''))
    assert.ok((await stat(path)).size < 10_000)
  })

  it('stays as it was when the new one is interrupted, or its source fails', async () => {
    const path = join(folder, 'kept')
    await writeFile(path, 'the old one')
    const interruption = new AbortController()
    async function* endless() {
      for (;;) {
        yield 'more and more'
        interruption.abort()
      }
    }
    await assert.rejects(writePrivateFile(path, endless(), { gzip: true, signal: interruption.signal }), {
      name: 'AbortError',
    })
    async function* failing() {
      yield 'some'
      throw new Error('no more')
    }
    await assert.rejects(writePrivateFile(path, failing()), { message: 'no more' })
    assert.equal(await readFile(path, 'utf8'), 'the old one')
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.endsWith('partial')),
      [],
    )
  })
})
