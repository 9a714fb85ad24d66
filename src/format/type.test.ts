import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Type as TypeBox } from 'typebox'
import { Type } from './type.ts'

/** The same schema, made with these builders: everything that routes use. */
function schemaWith(builders: typeof Type): object {
  const T = builders
  const parts = {
    text: T.String({ maxLength: 5, description: 'A text' }),
    plain: T.String(),
    count: T.Integer({ minimum: 1 }),
    share: T.Number(),
    sure: T.Boolean({ default: false }),
    nothing: T.Null(),
    any: T.Any(),
    unknown: T.Unknown({ description: 'Whatever it is' }),
    word: T.Literal('word', { description: 'A word' }),
    three: T.Literal(3),
    yes: T.Literal(true),
    one: T.Enum(['a', 'b'], { description: 'One of them' }),
    list: T.Array(T.Object({ id: T.String() }), { maxItems: 3 }),
    either: T.Union([T.String(), T.Null()], { description: 'Or null' }),
    byName: T.Record(T.String(), T.Array(T.Integer()), { description: 'By name' }),
    unsafe: T.Unsafe<string>({ type: 'string', enum: ['x'] }),
  }
  const mayBeMissing = { maybe: T.Optional(parts.text), maybeUnsafe: T.Optional(parts.unsafe) }
  const whole = T.Object({ ...parts, ...mayBeMissing }, { additionalProperties: false, description: 'All' })
  const partial = T.Partial(whole)
  return {
    whole,
    partial,
    spread: T.Object({ ...partial.properties, id: T.String() }),
    atLeastOne: T.Partial(whole, { minProperties: 1 }),
    omitted: T.Omit(whole, ['text', 'maybe']),
    picked: T.Pick(whole, ['text', 'maybe']),
    exact: T.Omit(whole, ['text'], { additionalProperties: false }),
    empty: T.Object({}),
    allOptional: T.Object(mayBeMissing),
    twice: T.Object({ twice: T.Optional(T.Optional(parts.plain)) }),
    nested: T.Object({ inner: T.Optional(T.Object(mayBeMissing)) }),
  }
}

describe('the builders of schemas', () => {
  it('make what TypeBox makes, in the same order', () => {
    assert.equal(JSON.stringify(schemaWith(Type)), JSON.stringify(schemaWith(TypeBox)))
  })

  it('leave what they are given as it was', () => {
    const text = Type.String()
    Type.Optional(text)
    Type.Partial(Type.Object({ text }))
    assert.deepEqual(Type.Object({ text }).required, ['text'])
  })
})
