import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { untilEnded } from '../test/process-end.ts'
import { type FileResult, runFile } from './test-file.ts'

const { NODE_TEST_CONTEXT, ...env } = process.env

describe('running a test file', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'punctual-test-file-'))
  const pidFile = join(folder, 'pid')
  after(() => rmSync(folder, { recursive: true }))

  let count = 0
  function run(body: string, limit = 60_000): Promise<FileResult> {
    const file = join(folder, `${++count}.test.mjs`)
    writeFileSync(file, `import { it } from 'node:test'\n${body}`)
    return runFile(file, { eventFile: `${file}.jsonl`, env, limit })
  }
  const reasonsOf = ({ failures }: FileResult) => failures.map(({ reason }) => reason)

  /** A child that keeps the file's pipes open and outlives it, unless it is ended. */
  const LEAVE_CHILD = `
    import { spawn } from 'node:child_process'
    import { writeFileSync } from 'node:fs'
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
    writeFileSync(${JSON.stringify(pidFile)}, String(child.pid))
    child.unref()`
  const untilChildEnded = () => untilEnded(Number(readFileSync(pidFile, 'utf8')))

  it('names a file that passes its limit and the test that hangs, and ends its children', async () => {
    const result = await run(
      `${LEAVE_CHILD}\nit('ends', () => {}); it('hangs', () => new Promise(() => setInterval(() => {}, 1000)))`,
      // Long enough for a busy machine to begin the tests.
      8000,
    )
    assert.equal(result.passed, 1)
    assert.deepEqual(reasonsOf(result), [
      `${result.file} passed its limit of 8 s; the last test begun was "hangs".`,
    ])
    await untilChildEnded()
  })

  it('ends what a file has left behind, and does not wait for its pipes', async () => {
    const result = await run(`${LEAVE_CHILD}\nit('passes', () => console.log('done'))`)
    assert.equal(result.passed, 1)
    assert.deepEqual(reasonsOf(result), [])
    assert.match(result.output, /done/)
    await untilChildEnded()
  })

  it('reports a file that ends early, or has no test', async () => {
    assert.deepEqual(reasonsOf(await run(`it('exits', () => process.exit(3))`)), [
      'The file was cut short (exit code 3).',
    ])
    assert.deepEqual(reasonsOf(await run('')), ['The file ended before any test did.'])
  })
})
