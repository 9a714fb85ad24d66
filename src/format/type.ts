import type * as TypeBox from 'typebox'

// TypeBox describes what routes accept and answer, as types and as JSON Schemas. Its types cost nothing at run time, but
// importing its 370 modules takes 0.15 s of processor time and 23 MB. What we use of it are these lines, with its types; a
// test holds them against TypeBox.

type Schema = Readonly<Record<string, unknown>>
type Properties = Readonly<Record<string, Schema>>

/** Marks a property that may be missing. Not enumerable: it is no keyword of JSON Schema. */
const OPTIONAL = '~optional'

const optional = (schema: Schema): Schema =>
  Object.defineProperty({ ...schema }, OPTIONAL, { value: true, enumerable: false })

const plain = (type: string) => (options?: Schema) => ({ type, ...options })

function object(properties: Properties, options?: Schema): Schema {
  const required = Object.keys(properties).filter((name) => !(OPTIONAL in (properties[name] as Schema)))
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
}

const BUILDERS = {
  String: plain('string'),
  Integer: plain('integer'),
  Number: plain('number'),
  Boolean: plain('boolean'),
  Null: plain('null'),
  Any: (options?: Schema) => ({ ...options }),
  Unknown: (options?: Schema) => ({ ...options }),
  Literal: (value: string | number | boolean, options?: Schema) => ({
    type: typeof value,
    const: value,
    ...options,
  }),
  Enum: (values: readonly string[], options?: Schema) => ({ enum: values, ...options }),
  Array: (items: Schema, options?: Schema) => ({ type: 'array', items, ...options }),
  Union: (anyOf: readonly Schema[], options?: Schema) => ({ anyOf, ...options }),
  /** With texts as keys. */
  Record: (_keys: Schema, values: Schema, options?: Schema) => ({
    type: 'object',
    patternProperties: { '^.*$': values },
    ...options,
  }),
  Object: object,
  Optional: optional,
  /** What describes the given object as a whole is not taken over. */
  Partial: ({ properties }: { properties: Properties }, options?: Schema) => {
    const entries = Object.entries(properties)
    return object(Object.fromEntries(entries.map(([name, schema]) => [name, optional(schema)])), options)
  },
  Omit: ({ properties }: { properties: Properties }, names: readonly string[], options?: Schema) => {
    const entries = Object.entries(properties)
    return object(Object.fromEntries(entries.filter(([name]) => !names.includes(name))), options)
  },
  Pick: ({ properties }: { properties: Properties }, names: readonly string[], options?: Schema) => {
    const entries = Object.entries(properties)
    return object(Object.fromEntries(entries.filter(([name]) => names.includes(name))), options)
  },
  Unsafe: (schema: Schema) => schema,
}

export const Type = BUILDERS as unknown as Pick<typeof TypeBox.Type, keyof typeof BUILDERS>
