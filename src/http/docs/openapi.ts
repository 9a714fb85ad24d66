import { isDeepStrictEqual } from 'node:util'
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { OUTCOME_UNKNOWN } from '../../domain/problem.ts'
import { say } from '../../domain/sentence.ts'
import { ERROR_FIELD, HOST_API } from '../problems.ts'
import { type Example, examplesOn } from './examples.ts'

/** The parts of an OpenAPI 3.1 document that ours has. */
export interface Document {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly headers: Readonly<Record<string, Header>>
    readonly securitySchemes?: unknown
  }
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
  readonly example?: string
}

export interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, Reference>>
  readonly content: Content
}

export type Content = Readonly<
  Record<
    string,
    { readonly schema: Schema; readonly examples?: Readonly<Record<string, { value: unknown }>> }
  >
>

export interface Header {
  readonly description: string
  readonly schema: Schema
}

interface Reference {
  readonly $ref: string
}

export interface Schema {
  readonly $ref?: string
  readonly title?: string
  readonly description?: string
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly maxLength?: number
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
}

/** The document as the routes themselves give it: the schemas that they check and answer by. */
export function openApiOptions(publicUrl: string): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Punctual',
        version: '1.0.0',
        description: ABOUT.join('\n\n'),
        license: { name: 'MIT', identifier: 'MIT' },
      },
      // Braces would stand for variables here.
      servers: [{ url: publicUrl.replaceAll('{', '%7B').replaceAll('}', '%7D') }],
      security: [],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
      tags: [
        { name: 'Scheduling', description: 'Profiles, slots and bookings.' },
        { name: 'Your booking', description: 'What a guest can do about a booking, with its link.' },
        { name: 'Routing', description: 'Forms that lead a visitor to the right place.' },
        { name: 'Embed', description: 'What the widget needs to know before it shows anything.' },
      ],
    },
    // Links are the public address and the path, even if both contain /api.
    stripBasePath: false,
  }
}

/** The public half of a document: what anyone may ask for. */
export function publicPart(document: Document): Document {
  const paths = Object.entries(document.paths).filter(([path]) => !HOST_API.test(path))
  const { securitySchemes: _, ...components } = document.components
  return { ...document, components, paths: Object.fromEntries(paths) }
}

/** The other half: signing in, and what hosts set up. */
export function hostPart(document: Document): Document {
  const paths = Object.entries(document.paths).filter(([path]) => HOST_API.test(path))
  const operations = paths.flatMap(([, path]) => Object.values(path))
  const names = new Set(operations.flatMap(({ tags }) => tags))
  return {
    ...document,
    info: { ...document.info, title: 'Host API', description: ABOUT_THE_HOST_API.join('\n\n') },
    tags: [...names].map((name) => ({ name, description: '' })),
    paths: Object.fromEntries(paths),
  }
}

const ABOUT_THE_HOST_API = [
  'What hosts use to set up what others book. Everything under `/api/admin` needs `Authorization: Bearer …`: an access token from signing in, or an API token.',
  '**Changes.** `PATCH` changes only what is sent. Answers carry an `ETag`; send it back as `If-Match`, so that you don’t overwrite a change that someone else made in the meantime (412).',
  '**Lists** come in pages: `{ items, nextCursor }`.',
  '**Errors.** Always `{ "error": "…" }`, a sentence that a person can act on, in the language that `Accept-Language` prefers (`en`, `de`, `es`, `fr`, `pt`, `ja`). A refusal about one field names it in the header `Error-Field`, as a path such as `questions.2.label`. An unknown field is refused. What belongs to someone else is 404, as if it were not there.',
]

const ABOUT = [
  'Open scheduling and routing. Every endpoint here is public: no account, no key, from any browser, server or phone.',
  '**Requests.** Bodies are JSON of at most 64 KB, sent as `application/json`. Fields that are not known are ignored.',
  '**Times.** Instants are ISO 8601 in UTC: out, always `2030-01-31T09:30:00Z`; in, with `Z` or `+00:00`, with or without fractions. Dates are `2030-01-31`, in the zone they are asked for. Zones are IANA names such as `Europe/Berlin`.',
  '**Errors.** Always `{ "error": "…" }`, a sentence that a person can act on, in the language that `Accept-Language` prefers (`en`, `de`, `es`, `fr`, `pt`, `ja`).',
  '**Examples.** They run as they stand against the demo workspace, which an empty installation creates for itself.',
]

const JSON_TYPE = 'application/json'

/** When each failure is answered, and what every endpoint says then. */
const FAILURES: Readonly<Record<string, { readonly when: string; readonly says?: Record<string, string> }>> =
  {
    400: {
      when: 'The request is incomplete or not valid, or what it asks for is not to be had. The sentence says which.',
      says: { address: 'The address is not valid.' },
    },
    404: { when: 'No scheduler, event type, form or booking has this address.' },
    409: { when: 'The booking’s status or cutoff no longer allows this.' },
    413: { when: 'The body is too long.', says: { tooLarge: 'The body is larger than 64 KB.' } },
    415: { when: 'The body is not sent as JSON.', says: { notJson: 'Send the body as application/json.' } },
    429: { when: 'Too many requests from this client address. Wait as long as `Retry-After` says.' },
    503: {
      when: 'The service cannot answer just now. Try again in a moment.',
      says: {
        database: 'The service cannot reach its database just now. Please try again in a moment.',
      },
    },
    504: {
      when: 'The database went away before it confirmed this: it may or may not be saved. A booking can be sent again with the same `Idempotency-Key`.',
      says: { unknown: say(OUTCOME_UNKNOWN) },
    },
  }

const EVERYWHERE = ['400', '503']
const WITH_A_BODY = ['413', '415']
const REFUSALS_OF_FIELDS = ['400', '409']
const SUCCESSES: Readonly<Record<string, string>> = {
  200: 'OK.',
  201: 'Created.',
  202: 'Accepted.',
  204: 'Done; the answer is empty.',
}

const RATE_LIMIT_HEADERS: Readonly<Record<string, Header>> = {
  RateLimit: {
    description: 'Requests that remain (`r`) and seconds until they are full again (`t`).',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'Requests allowed (`q`) in a window of seconds (`w`).',
    schema: { type: 'string' },
  },
  'RateLimit-Limit': { description: 'Requests allowed in the window.', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'Requests that remain in it.', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until it begins anew.', schema: { type: 'integer' } },
}

const RETRY_AFTER: Readonly<Record<string, Header>> = {
  'Retry-After': { description: 'Seconds to wait before the next try.', schema: { type: 'integer' } },
}

const LOCATION: Readonly<Record<string, Header>> = {
  Location: {
    description: 'The guest’s own link to the booking, with its token: see `getOwnBooking`.',
    schema: { type: 'string' },
  },
}

const NAMED_FIELD: Readonly<Record<string, Header>> = {
  [ERROR_FIELD]: {
    description:
      'The field that the refusal is about, as a path: `durationMinutes`, `questions.2.label`. Absent when it is about no single field.',
    schema: { type: 'string' },
  },
}

const HEADERS = { ...RATE_LIMIT_HEADERS, ...RETRY_AFTER, ...LOCATION }

/** Adds to the routes' own document what they share: failures, headers, names, and examples of this day. */
export function completeDocument(given: Document, now: number): Document {
  const publicUrl = given.servers[0]?.url ?? ''
  const examples = examplesOn(now, publicUrl)
  const { document, schemas } = nameSchemas(given)
  return {
    ...document,
    paths: Object.fromEntries(
      Object.entries(document.paths).map(([path, methods]) => [
        path,
        mapValues(methods, (operation) =>
          completeOperation(operation, examples[operation.operationId], HOST_API.test(path)),
        ),
      ]),
    ),
    components: {
      ...document.components,
      schemas,
      headers: Object.keys(document.paths).some((path) => HOST_API.test(path))
        ? { ...HEADERS, ...NAMED_FIELD }
        : HEADERS,
    },
  }
}

function completeOperation(
  operation: Operation,
  example: Example | undefined,
  namesFields: boolean,
): Operation {
  const { parameters = [], requestBody, responses } = operation
  const limited = '429' in responses
  const isNamed = parameters.some((parameter) => parameter.in === 'path')
  const statuses = new Set([
    ...Object.keys(responses),
    ...EVERYWHERE,
    ...(requestBody === undefined ? [] : WITH_A_BODY),
  ])
  return {
    ...operation,
    parameters: parameters.map((parameter) => completeParameter(parameter, example)).sort(byLocation),
    ...(requestBody !== undefined && {
      requestBody: { ...requestBody, content: withExamples(requestBody.content, example?.bodies) },
    }),
    responses: Object.fromEntries(
      [...statuses].sort().map((status) => {
        const failure = FAILURES[status]
        const missing = status === '204' ? {} : { [JSON_TYPE]: { schema: refTo('schemas', 'Error') } }
        const content = responses[status]?.content ?? missing
        const headers = [
          ...headersOf(status, limited),
          ...(namesFields && REFUSALS_OF_FIELDS.includes(status) ? Object.keys(NAMED_FIELD) : []),
          ...(status === '201' && operation.operationId === 'book' ? Object.keys(LOCATION) : []),
        ]
        // Only an address with a name in it can be broken.
        const says = status === '400' && !isNamed ? {} : (failure?.says ?? {})
        const shared = mapValues(says, (error) => ({ error }))
        const response: Response = {
          description: failure?.when ?? SUCCESSES[status] ?? '',
          ...(headers.length > 0 && {
            headers: Object.fromEntries(headers.map((name) => [name, refTo('headers', name)])),
          }),
          content: withExamples(content, { ...example?.answers[Number(status)], ...shared }),
        }
        return [status, response]
      }),
    ),
  }
}

/** Every response to a counted request carries these, whatever its status. */
function headersOf(status: string, limited: boolean): string[] {
  const waiting = status === '429' || status === '503'
  return [...(waiting ? Object.keys(RETRY_AFTER) : []), ...(limited ? Object.keys(RATE_LIMIT_HEADERS) : [])]
}

const PARAMETER_ORDER = ['path', 'query', 'header']
const byLocation = (a: Parameter, b: Parameter) =>
  PARAMETER_ORDER.indexOf(a.in) - PARAMETER_ORDER.indexOf(b.in)

function completeParameter(parameter: Parameter, example: Example | undefined): Parameter {
  const { in: place, name } = parameter
  // Fastify knows headers in lower case alone.
  if (place === 'header') return { ...parameter, name: name.replaceAll(/\b[a-z]/g, (a) => a.toUpperCase()) }
  const value = (place === 'path' ? example?.path : example?.query)?.[name]
  return value === undefined ? parameter : { ...parameter, example: value }
}

function withExamples(content: Content, examples: Readonly<Record<string, unknown>> = {}): Content {
  if (Object.keys(examples).length === 0) return content
  return mapValues(content, (media) => ({
    ...media,
    examples: mapValues(examples, (value) => ({ value })),
  }))
}

/** Moves every schema with a title to the components, and leaves a reference to it. */
function nameSchemas(given: Document): { document: Document; schemas: Record<string, Schema> } {
  const schemas: Record<string, Schema> = {}
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== 'object' || value === null) return value
    const visited = mapValues(value as Record<string, unknown>, visit)
    const { title } = visited
    if (typeof title !== 'string') return visited
    schemas[title] ??= visited
    if (!isDeepStrictEqual(schemas[title], visited)) {
      throw new Error(`Two different schemas have the title ${title}.`)
    }
    return refTo('schemas', title)
  }
  const paths = visit(given.paths) as Document['paths']
  return { document: { ...given, paths }, schemas }
}

const refTo = (kind: keyof Document['components'], name: string): Reference => ({
  $ref: `#/components/${kind}/${name}`,
})

function mapValues<T, R>(record: Readonly<Record<string, T>>, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}
