import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { it } from 'node:test'
import { SERVE_FLAGS } from './serve-flags.mjs'

it('leaves the compiled code valid that Node.js brings of its own modules', () => {
  const tagWith = (flags: readonly string[]) =>
    execFileSync(process.execPath, [...flags, '-p', 'v8.cachedDataVersionTag()'], { encoding: 'utf8' })
  assert.equal(tagWith(SERVE_FLAGS), tagWith([]))
})
