import buildAjv from '@fastify/ajv-compiler'
import buildJson from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

type Factory = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>
type Validate = ((data: unknown) => unknown) & { errors?: unknown }

type Serialize = (data: unknown) => string

const ajv = buildAjv()
const json = buildJson()
/** By the options of an app, then by schema: apps of one process share them, as they share validators. */
const serializers = new Map<string, WeakMap<object, Serialize>>()

/**
 * Compiles a route's schemas when it is first asked for.
 *
 * Compiling all of them takes a third of the time to start and several megabytes, and most are not needed for long.
 */
export const compileLazily: Factory = {
  buildValidator(schemas: unknown, options: unknown) {
    const compile = ajv(schemas as never, options as never) as (route: unknown) => Validate
    return (route: unknown) => {
      let compiled: Validate | undefined
      const validate: Validate = (data) => {
        compiled ??= compile(route)
        const valid = compiled(data)
        // Where Fastify looks for them.
        validate.errors = compiled.errors
        return valid
      }
      return validate as never
    }
  },
  buildSerializer(schemas: unknown, options: unknown) {
    const compile = json(schemas as never, options as never) as (route: unknown) => Serialize
    const known = serializers.getOrInsertComputed(JSON.stringify([schemas, options]), () => new WeakMap())
    return (route: { readonly schema?: unknown }) => {
      let compiled: Serialize | undefined
      return (data: unknown) => {
        compiled ??= known.getOrInsertComputed(route.schema as object, () => compile(route))
        return compiled(data)
      }
    }
  },
}
