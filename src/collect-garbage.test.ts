import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { cachedDataVersionTag } from 'node:v8'
import { collectGarbage } from './collect-garbage.ts'

for (const flavor of ['regular', 'last-resort'] as const) {
  it(`gives back what is no longer used, and leaves compiled code valid (${flavor})`, async () => {
    const before = cachedDataVersionTag()
    const unused = new WeakRef({ name: 'unused' })
    await setImmediate()
    collectGarbage(flavor)
    assert.equal(unused.deref(), undefined)
    assert.equal(cachedDataVersionTag(), before)
  })
}
