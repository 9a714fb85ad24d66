import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { untilEnded } from '../test/process-end.ts'
import { type GroupResult, runGroup } from './test-group.ts'

const { NODE_TEST_CONTEXT, ...env } = process.env

describe('running test files', { timeout: 400_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'punctual-test-group-'))
  const pidFile = join(folder, 'pid')
  after(() => rmSync(folder, { recursive: true }))

  let count = 0
  function run(bodies: readonly string[], limit = 60_000): Promise<GroupResult> {
    const files = bodies.map((body) => {
      const file = join(folder, `${++count}.test.mjs`)
      writeFileSync(file, `import { it } from 'node:test'\n${body}`)
      return file
    })
    return runGroup(files, { eventFile: join(folder, `${count}.jsonl`), env, limit })
  }
  const passedOf = ({ files }: GroupResult) => files.map(({ passed }) => passed)
  const reasonsOf = ({ files }: GroupResult) =>
    files.flatMap(({ failures }) => failures.map(({ reason }) => reason))

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
      [
        "it('passes', () => {})",
        `${LEAVE_CHILD}\nit('ends', () => {}); it('hangs', () => new Promise(() => setInterval(() => {}, 1000)))`,
      ],
      // Long enough for a busy machine to begin the tests.
      8000,
    )
    assert.deepEqual(passedOf(result), [1, 1])
    assert.deepEqual(reasonsOf(result), [
      `${result.files[1]?.file} passed its limit of 8 s; the last test begun was "${result.files[1]?.file} › hangs".`,
    ])
    await untilChildEnded()
  })

  it('ends what a file has left behind, and does not wait for its pipes', async () => {
    const result = await run([`${LEAVE_CHILD}\nit('passes', () => console.log('done'))`])
    assert.deepEqual(passedOf(result), [1])
    assert.deepEqual(reasonsOf(result), [])
    assert.match(result.output, /done/)
    await untilChildEnded()
  })

  it('tells the tests of each file, one after the other in one process', async () => {
    const say = 'console.log(process.pid)'
    const result = await run([
      `it('passes', () => ${say})`,
      "it('passes', () => {}); it('fails', () => { throw new Error('broken') })",
      `it('passes', () => ${say}); it('passes too', () => {})`,
    ])
    assert.deepEqual(passedOf(result), [1, 1, 2])
    assert.deepEqual(result.notRun, [])
    assert.deepEqual(
      result.files.map(({ failures }) => failures.map(({ name }) => name)),
      [[], ['fails'], []],
    )
    assert.match(result.output, /^(\d+)\n\1\n$/)
  })

  it('reports a file that ends early, those that it kept from running, and one without a test', async () => {
    const exit = `
      import { existsSync, readFileSync } from 'node:fs'
      import { setTimeout as sleep } from 'node:timers/promises'
      const told = process.execArgv.find((arg) => arg.includes('destination')).split('=')[1]
      it('exits', async () => {
        while (!existsSync(told) || !readFileSync(told, 'utf8').includes('ended')) await sleep(10)
        process.exit(3)
      })`
    const pass = "it('passes', () => {})"
    const result = await run([pass, exit, pass, pass])
    assert.deepEqual(passedOf(result), [1, 0])
    assert.deepEqual(reasonsOf(result), ['The file was cut short (exit code 3).'])
    assert.deepEqual(result.notRun, [`${folder}/${count - 1}.test.mjs`, `${folder}/${count}.test.mjs`])
    assert.deepEqual(reasonsOf(await run(['', "it('passes', () => {})"])), ['No test ran.'])
    assert.deepEqual(reasonsOf(await run(["throw new Error('broken')"])).length, 1)
  })

  it('ends with an error that no test catches, instead of waiting for that test', async () => {
    const waits = (error: string) =>
      `it('waits', () => new Promise(() => { setInterval(() => {}, 1000); setTimeout(() => ${error}, 10) }))`
    for (const error of ["{ throw new Error('thrown') }", "Promise.reject(new Error('thrown'))"]) {
      const result = await run([waits(error)])
      assert.deepEqual(reasonsOf(result), ['The file was cut short (exit code 1).'])
      assert.match(result.output, /^No test has caught this .*: Error: thrown/)
    }
  })

  it('reports tests that are declared too late to belong to their file', async () => {
    const late = `
      import { describe } from 'node:test'
      import { setTimeout as sleep } from 'node:timers/promises'
      describe('a suite', async () => { await sleep(50); it('comes late', () => {}) })`
    const [reason = ''] = reasonsOf(await run([`${late}\nit('passes', () => {})`]))
    assert.match(reason, /^".*comes late" belongs to no file/)
  })

  it('reports what goes wrong after the last test', async () => {
    const late = "setTimeout(() => { throw new Error('late') }, 100)"
    assert.equal(reasonsOf(await run([`it('passes', () => { ${late} })`])).length, 1)
  })
})
