import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nameIn, oneOf, withNames } from './schema.ts'
import { Type } from './type.ts'

const LISTS = { calendars: ['feed', 'orbit'], accounts: ['orbit'], links: [] }

describe('withNames', () => {
  it('lists the names that there are, however deep they are asked for', () => {
    const schema = Type.Object({
      kind: nameIn('calendars', [], 'Which it is.'),
      links: Type.Array(Type.Object({ provider: Type.Optional(nameIn('accounts', [''])) })),
    })
    assert.deepEqual(
      JSON.parse(JSON.stringify(withNames(schema, LISTS))),
      JSON.parse(
        JSON.stringify(
          Type.Object({
            kind: oneOf(['feed', 'orbit'], 'Which it is.'),
            links: Type.Array(Type.Object({ provider: Type.Optional(oneOf(['', 'orbit'])) })),
          }),
        ),
      ),
    )
  })

  it('copies nothing that has no such names, so that routes go on sharing it', () => {
    const shared = Type.Object({ names: Type.Array(Type.String()) })
    const both = { 200: Type.Object({ kind: nameIn('links') }), 400: shared }
    assert.equal(withNames(shared, LISTS), shared)
    assert.equal(withNames(both, LISTS)[400], shared)
  })
})
