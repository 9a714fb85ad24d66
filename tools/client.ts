import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { buildApp } from '../src/http/app.ts'
import type { Document, Operation, Parameter, Schema } from '../src/http/docs/openapi.ts'
import { createContext } from '../src/services/context.ts'
import { readSettings } from '../src/settings.ts'
import { surroundingsOf } from '../src/start.ts'
import { isUnavailable } from '../src/store/engine/database.ts'
import { openDatabase } from '../src/store/engine/open-database.ts'

const PATH = fileURLToPath(new URL('../client/src/api.ts', import.meta.url))

/** The public document of this working copy. No database is asked for it. */
export async function readDocument(): Promise<Document> {
  const db = openDatabase('postgres://nobody@127.0.0.1:1/none')
  const context = createContext({
    db,
    publicUrl: 'http://localhost:3000',
    captcha: { altchaSecret: 'none', services: {} },
    jwtSecret: 'none',
    signup: 'closed',
    mailer: async () => {},
    surroundings: surroundingsOf(readSettings({})),
    inBackground: () => {},
  })
  const never = async () => {
    throw new Error('Nothing is counted here.')
  }
  const app = await buildApp({ context, rateLimits: () => never, isUnavailable })
  try {
    return (await app.inject('/openapi.json')).json()
  } finally {
    await app.close()
    context.webhooks.close()
    await db.destroy()
  }
}

/** The half of the client that follows from the document: its types, and where each operation is. */
export function writeApi({ paths, components }: Document): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
      input: inputOf(operation, components.schemas),
    })),
  )
  const named = Object.entries(components.schemas).map(([name, schema]) =>
    schema.type === 'object'
      ? `${docOf(schema.description)}export interface ${name} ${typeOf(schema)}\n`
      : `${docOf(schema.description)}export type ${name} = ${typeOf(schema)}\n`,
  )
  const inputs = operations.map(
    ({ operation: { operationId, summary }, input }) =>
      `/** What \`${operationId}\` takes: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}. */\nexport interface ${inputName(operationId)} {\n${indent(input.map(({ name, schema, required, description }) => propertyOf(name, { ...schema, ...(description !== undefined && { description }) }, required)).join('\n'))}\n}\n`,
  )
  const methods = operations.map(
    ({ operation }) =>
      `${docOf(`${operation.summary}.\n\n${operation.description ?? ''}`.trim())}${operation.operationId}(input: ${inputName(operation.operationId)}, options?: CallOptions): Promise<${outputOf(operation)}>`,
  )
  const table = operations.map(
    ({ path, method, operation, input }) =>
      `${operation.operationId}: {\n  method: '${method}',\n  path: '${path}',\n  query: ${list(input, 'query')},\n  headers: ${headersOf(input)},\n  body: ${operation.requestBody === undefined ? 'undefined' : list(input, 'body')},\n  answer: '${answerOf(operation).type}',\n  linked: ${isLinked(operation)},\n},`,
  )
  return [
    '// Written by `node tools/client.ts` from the OpenAPI document, and checked by `npm run check`.',
    '',
    "import type { CallOptions, Linked } from './calls.ts'",
    '',
    ...named,
    ...inputs,
    '/** Every operation of the public interface. */',
    `export interface Punctual {\n${indent(methods.join('\n\n'))}\n}`,
    '',
    'export type OperationName = keyof Punctual',
    '',
    '/** Where each operation is, and what goes where. */',
    `export const OPERATIONS = {\n${indent(table.join('\n'))}\n} as const`,
    '',
  ].join('\n')
}

interface Input {
  readonly name: string
  /** Its name in requests and responses. */
  readonly wireName: string
  readonly place: Parameter['in'] | 'body'
  readonly required: boolean
  readonly description: string | undefined
  readonly schema: Schema
}

/** Parameters and body side by side: no two of them may have one name. */
function inputOf(
  { operationId, parameters = [], requestBody }: Operation,
  schemas: Document['components']['schemas'],
): Input[] {
  const given = requestBody?.content['application/json']?.schema
  const body = given?.$ref === undefined ? given : schemas[nameOf(given.$ref)]
  const inputs: Input[] = [
    ...parameters.map(({ name, in: place, required = false, description, schema }) => ({
      name: place === 'header' ? camelCase(name) : name,
      wireName: name,
      place,
      required,
      description,
      schema,
    })),
    ...Object.entries(body?.properties ?? {}).map(([name, schema]) => ({
      name,
      wireName: name,
      place: 'body' as const,
      required: body?.required?.includes(name) ?? false,
      description: schema.description,
      schema,
    })),
  ]
  if (new Set(inputs.map(({ name }) => name)).size < inputs.length) {
    throw new Error(`${operationId} takes two things of one name.`)
  }
  return inputs
}

/** A success with a Location hands out the guest's own link. */
const isLinked = ({ responses }: Operation) =>
  Object.keys(responses['201']?.headers ?? {}).includes('Location')

/** The media type and schema of a success. Anything but JSON is returned as text. */
function answerOf({ operationId, responses }: Operation): { type: string; schema: Schema } {
  if (responses['204'] !== undefined) return { type: 'application/json', schema: { type: 'null' } }
  const success = responses['200'] ?? responses['201'] ?? responses['202']
  const [found] = Object.entries(success?.content ?? {})
  if (found === undefined) throw new Error(`${operationId} has no answer.`)
  return { type: found[0], schema: found[1].schema }
}

function outputOf(operation: Operation): string {
  const { schema } = answerOf(operation)
  return isLinked(operation) ? `${typeOf(schema)} & Linked` : typeOf(schema)
}

/** A schema as TypeScript. What it does not know, it refuses: a wrong type is worse than none. */
function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  if (schema.enum !== undefined) return schema.enum.map((value) => quote(String(value))).join(' | ')
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' | ')
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'integer':
    case 'number':
      return 'number'
    case 'array': {
      if (schema.items === undefined) throw new Error('An array says of what.')
      return `readonly (${typeOf(schema.items)})[]`
    }
    case 'object': {
      const { properties = {}, required = [] } = schema
      const lines = Object.entries(properties).map(([name, property]) =>
        propertyOf(name, property, required.includes(name)),
      )
      if (lines.length === 0) return 'Readonly<Record<string, unknown>>'
      return `{\n${indent(lines.join('\n'))}\n}`
    }
    default:
      throw new Error(`There is no type for ${JSON.stringify(schema)}.`)
  }
}

const propertyOf = (name: string, schema: Schema, required: boolean) =>
  `${docOf(schema.description)}readonly ${name}${required ? '' : '?'}: ${typeOf(schema)}${required ? '' : ' | undefined'}`

function docOf(text: string | undefined): string {
  if (text === undefined || text === '') return ''
  const lines = text.replaceAll('*/', '* /').split('\n')
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`
}

const list = (inputs: readonly Input[], place: Input['place']) =>
  `[${inputs
    .filter((input) => input.place === place)
    .map(({ name }) => quote(name))
    .join(', ')}]`

function headersOf(inputs: readonly Input[]): string {
  const pairs = inputs
    .filter(({ place }) => place === 'header')
    .map(({ name, wireName }) => `${name}: ${quote(wireName)}`)
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`
}

const quote = (text: string) => `'${text.replaceAll(/['\\]/g, '\\$&')}'`
const nameOf = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1)
const inputName = (operationId: string) =>
  `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Input`
const camelCase = (header: string) =>
  header.toLowerCase().replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
const indent = (text: string) => text.replace(/^(?=.)/gm, '  ')

/** Problems of the client's generated half, or none. */
export async function checkClient(): Promise<string[]> {
  const [written, expected] = await Promise.all([
    readFile(PATH, 'utf8').catch(() => ''),
    readDocument().then(writeApi),
  ])
  return written === expected
    ? []
    : ['client/src/api.ts is not what the routes say: run node tools/client.ts']
}

if (import.meta.main) await writeFile(PATH, writeApi(await readDocument()))
