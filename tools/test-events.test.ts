import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { Outcome } from './test-events.ts'

const folder = mkdtempSync(join(tmpdir(), 'punctual-test-events-'))
after(() => rmSync(folder, { recursive: true }))

/** Runs `body` as a test file and returns what the reporter says of results, one line for each. */
function outcomesOf(body: string): string[] {
  const file = join(folder, 'sample.test.mjs')
  writeFileSync(file, `import { before, describe, it } from 'node:test'\n${body}`)
  const reporter = new URL('test-events.ts', import.meta.url).href
  const { NODE_TEST_CONTEXT, ...env } = process.env
  const { stdout } = spawnSync(process.execPath, [`--test-reporter=${reporter}`, file], {
    env,
    encoding: 'utf8',
  })
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Outcome => JSON.parse(line))
    .filter(({ kind }) => kind !== 'begun' && kind !== 'ended')
    .map((outcome) =>
      outcome.kind === 'failed' ? `failed ${outcome.name}: ${outcome.reason}` : outcome.kind,
    )
}

describe('the outcomes of a test file', () => {
  it('are those of its tests, not of the suites around them', () => {
    const outcomes = outcomesOf(
      `describe('a', () => { describe('b', () => { it('c', () => {}); it('d', () => {}) }) })`,
    )
    assert.deepEqual(outcomes, ['passed', 'passed', 'end'])
  })

  it('name a failure by its suites and give its reason, once', () => {
    const [failed, ...others] = outcomesOf(
      `describe('a', () => { it('b', () => { throw new Error('broken') }) })`,
    )
    assert.match(failed ?? '', /^failed a › b: Error: broken/)
    assert.deepEqual(others, ['end'])
  })

  it('count tests inside a test instead of it, unless it fails outside them', () => {
    const nested = (rest: string) =>
      outcomesOf(`it('a', async (t) => { await t.test('b', () => {}); ${rest} }); it('c', () => {})`)
    assert.deepEqual(nested(''), ['passed', 'passed', 'end'])
    assert.deepEqual(
      nested("throw 'late'").map((outcome) => outcome.slice(0, 15)),
      ['passed', "failed a: 'late", 'passed', 'end'],
    )
  })

  it('report a suite whose preparation failed, once for all its tests', () => {
    const [failed, ...others] = outcomesOf(
      `describe('a', () => { before(() => { throw new Error('no') }); it('b', () => {}); describe('c', () => { it('d', () => {}) }) })`,
    )
    assert.match(failed ?? '', /^failed a: Error: no/)
    assert.deepEqual(others, ['end'])
  })

  it('count a skipped test, or one still to do, as a failure', () => {
    assert.deepEqual(outcomesOf(`it.skip('a', () => {}); it.todo('b'); it('c', (t) => t.skip('why'))`), [
      'failed a: It is skipped.',
      'failed b: It is still to do.',
      'failed c: It is skipped.',
      'end',
    ])
  })

  it('have no end when the file is cut short', () => {
    assert.ok(!outcomesOf(`it('a', () => {}); it('b', () => process.exit(0))`).includes('end'))
  })
})
