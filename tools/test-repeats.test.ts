import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { type FileResult, runGroup } from './test-group.ts'
import { hasFailed, repeatFailed } from './test-repeats.ts'

const { NODE_TEST_CONTEXT, ...env } = process.env

describe('repeating test files', { timeout: 400_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'punctual-test-repeats-'))
  after(() => rmSync(folder, { recursive: true }))

  const never = new AbortController().signal
  let runs = 0
  async function run(file: string): Promise<FileResult | undefined> {
    const { files } = await runGroup([file], {
      eventFile: join(folder, `${++runs}.jsonl`),
      env,
      limit: 60_000,
    })
    return files[0]
  }
  async function fileOf(name: string, body: string): Promise<FileResult> {
    const file = join(folder, `${name}.test.mjs`)
    writeFileSync(
      file,
      `import { it } from 'node:test'\nimport { existsSync, writeFileSync } from 'node:fs'\n${body}`,
    )
    const result = await run(file)
    assert.ok(result)
    return result
  }

  it('counts what passes the second time, and names it', async () => {
    const mark = JSON.stringify(join(folder, 'mark'))
    const passing = await fileOf('passing', "it('passes', () => {})")
    const slow = await fileOf(
      'slow',
      `it('passes next time', () => {
        const isNext = existsSync(${mark})
        writeFileSync(${mark}, '')
        if (!isNext) throw new Error('Too slow.')
      })`,
    )
    const wrong = await fileOf('wrong', "it('fails', () => { throw new Error('Wrong.') })")
    assert.deepEqual([passing, slow, wrong].map(hasFailed), [false, true, true])

    const before = runs
    const { results, passedAlone } = await repeatFailed([passing, slow, wrong], never, run)
    assert.equal(runs - before, 2)
    assert.deepEqual(passedAlone, [slow.file])
    assert.deepEqual(results.map(hasFailed), [false, false, true])
    assert.deepEqual(
      results.map(({ file, passed }) => [file, passed]),
      [
        [passing.file, 1],
        [slow.file, 1],
        [wrong.file, 0],
      ],
    )
  })

  const failed = (file: string, reason = 'Wrong.'): FileResult => ({
    file,
    passed: 0,
    failures: [{ name: '', reason }],
    duration: 0,
  })

  it('repeats no property that a counterexample was found for', async () => {
    let reason = ''
    try {
      fc.assert(fc.property(fc.nat(), (number) => number < 10))
    } catch (error) {
      reason = String(error)
    }
    const results = [failed('a.test.ts', reason)]
    const repeated = await repeatFailed(results, never, () => assert.fail('It was repeated.'))
    assert.deepEqual(repeated, { results, passedAlone: [] })
  })

  it('repeats nothing if many fail', async () => {
    const results = Array.from({ length: 6 }, (_, at) => failed(`${at}.test.ts`))
    const repeated = await repeatFailed(results, never, () => assert.fail('It was repeated.'))
    assert.deepEqual(repeated, { results, passedAlone: [] })
  })

  it('repeats nothing after an interruption', async () => {
    const results = [failed('a.test.ts')]
    const repeated = await repeatFailed(results, AbortSignal.abort(), () => assert.fail('It was repeated.'))
    assert.deepEqual(repeated, { results, passedAlone: [] })
  })
})
