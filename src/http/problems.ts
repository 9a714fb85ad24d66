import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem, type ProblemCode } from '../domain/problem.ts'
import { type Sentence, sentence } from '../domain/sentence.ts'
import { Type } from '../format/type.ts'
import type { StorageWatch } from '../services/storage-watch.ts'
import { answerIn, varyBy } from './language.ts'

const STATUS: Record<ProblemCode, number> = {
  invalid: 400,
  not_found: 404,
  slot_unavailable: 400,
  host_unavailable: 409,
  duplicate_booking: 400,
  honeypot_filled: 400,
  captcha_missing: 400,
  captcha_failed: 400,
  captcha_unreachable: 400,
  email_blocked: 400,
  email_unconfirmed: 400,
  too_many_bookings: 400,
  idempotency_mismatch: 400,
  rate_limited: 429,
  unauthenticated: 401,
  forbidden: 403,
  link_dead: 400,
  start_again: 400,
  state_conflict: 409,
  too_late: 409,
  slug_taken: 409,
  in_use: 409,
  changed_meanwhile: 412,
  unavailable: 503,
  outcome_unknown: 504,
}

/** The body of every error. */
const ProblemBody = Type.Object(
  { error: Type.String({ description: 'A sentence that says what to do about it.' }) },
  { $id: 'Error', title: 'Error' },
)

/** The error responses of a route, for its schema. */
export function problems<const Statuses extends readonly number[]>(
  ...statuses: Statuses
): Record<Statuses[number], typeof ProblemBody> {
  const entries = statuses.map((status) => [status, ProblemBody])
  return Object.fromEntries(entries) as Record<Statuses[number], typeof ProblemBody>
}

export interface ProblemOptions {
  /** Whether an error means that the database is unreachable, so that a retry may help. */
  readonly isUnavailable: (error: unknown) => boolean
  readonly storage: Pick<StorageWatch, 'notice'>
  /** Answers with a page instead of JSON, where a browser asked for one. */
  readonly showFailure?: (
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    sentence: Sentence,
  ) => Promise<FastifyReply> | undefined
  /** Leads on from an address at which there is nothing; undefined if it leads nowhere. */
  readonly leadOn?: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>
}

/** The one place that turns errors into responses. */
export function answerProblems(app: FastifyInstance, options: ProblemOptions): void {
  app.setErrorHandler((error: FastifyError, request, reply) =>
    options.leadOn !== undefined && error instanceof Problem && error.code === 'not_found'
      ? leadOnOrAnswer(options.leadOn, error, request, reply, options)
      : answerProblem(error, request, reply, options),
  )
  app.setNotFoundHandler(answerNotFound)
}

async function leadOnOrAnswer(
  leadOn: NonNullable<ProblemOptions['leadOn']>,
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  options: ProblemOptions,
): Promise<FastifyReply> {
  try {
    return (await leadOn(request, reply)) ?? (await answerProblem(error, request, reply, options))
  } catch (failure) {
    return answerProblem(failure as FastifyError, request, reply, options)
  }
}

export const nothingThere = () => new Problem('not_found', sentence`There is nothing at this address.`)

export function answerNotFound(): never {
  throw nothingThere()
}

/** Answers an error with its status; `showFailure` may give it another form. */
export function answerProblem(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  { isUnavailable, storage, showFailure }: ProblemOptions,
): FastifyReply | Promise<FastifyReply> {
  const send = (status: number, refusal: Sentence) =>
    showFailure?.(request, reply, status, refusal) ?? sendRefusal(request, reply, status, refusal)
  if (storage.notice(error, request.log)) {
    reply.header('retry-after', ROOM_AFTER_SECONDS)
    return send(503, DISK_FULL)
  }
  if (error instanceof Problem) {
    if (error.code === 'unavailable' || error.code === 'outcome_unknown') {
      request.log.error(error)
      reply.header('retry-after', TRY_AGAIN_SECONDS)
    }
    if (error.retryAfter !== undefined) reply.header('retry-after', String(error.retryAfter))
    if (error.field !== undefined && isHostApi(request)) reply.header(ERROR_FIELD, headerText(error.field))
    if (TOLD_APART.has(error.code)) reply.header(ERROR_CODE, error.code)
    return send(STATUS[error.code], error.sentence)
  }
  if (isUnavailable(error)) {
    request.log.error(error)
    reply.header('retry-after', TRY_AGAIN_SECONDS)
    return send(503, sentence`The service cannot reach its database just now. Please try again in a moment.`)
  }
  const status = error.statusCode ?? 500
  if (status >= 400 && status < 500) {
    return send(status, SENTENCES[error.code] ?? BY_STATUS[status] ?? sentence`The request is not valid.`)
  }
  request.log.error(error)
  return send(500, sentence`Something went wrong on our side.`)
}

/** Sends a refusal in the language that the request asks for. */
export function sendRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  refusal: Sentence,
): FastifyReply {
  const { text, language } = answerIn(request, refusal, isHostApi(request))
  varyBy(reply, 'accept-language')
  return reply.code(status).header('content-language', language).send({ error: text })
}

const isHostApi = ({ routeOptions }: FastifyRequest) => HOST_API.test(routeOptions.url ?? '')

/** The routes whose refusals name their field: sign-in and the host API. */
export const HOST_API = /^\/api\/(?:admin|auth)\//

/** The response header that names the refused field. */
export const ERROR_FIELD = 'Error-Field'

/** The response header that names the code of a refusal. */
const ERROR_CODE = 'Error-Code'

/** Refusals after which our pages do something else than show the sentence. Other codes could tell what must stay secret. */
const TOLD_APART: ReadonlySet<ProblemCode> = new Set(['start_again', 'email_unconfirmed'])

/** Clients choose some keys in a path, so it may have any characters and any length. */
const headerText = (path: string) =>
  path
    .slice(0, 200)
    .toWellFormed()
    .replaceAll(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character))

const TRY_AGAIN_SECONDS = '5'

/** Someone has to make room first. */
const ROOM_AFTER_SECONDS = '60'

const DISK_FULL = sentence`The service has run out of storage, so nothing was booked or changed. Please try again later.`

const SENTENCES: Record<string, Sentence> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: sentence`The body must be JSON, and must not be empty.`,
  FST_ERR_BAD_URL: sentence`The address is not valid.`,
  FST_ERR_MAX_PARAM_LENGTH: sentence`The address is too long.`,
}

const BY_STATUS: Record<number, Sentence> = {
  400: sentence`The body is not valid JSON.`,
  404: sentence`There is nothing at this address.`,
  413: sentence`The body is larger than 64 KB.`,
  414: sentence`The address is too long.`,
  415: sentence`Send the body as application/json.`,
}

/** Answers a request with an Expect header that we don't support. */
export function answerExpectation(request: IncomingMessage, response: ServerResponse): void {
  const refusal = sentence`This server does not do what the Expect header asks for.`
  const { text, language } = answerIn(request, refusal)
  const body = JSON.stringify({ error: text })
  response.writeHead(417, {
    'content-type': 'application/json; charset=utf-8',
    'content-language': language,
    'content-length': Buffer.byteLength(body),
    vary: 'accept-language',
    connection: 'close',
  })
  response.end(body)
}

/** Answers malformed HTTP, such as headers that never end: in English, since there is no request that asks for another. */
export function answerBrokenHttp(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, sentence] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'The headers are too large.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'The request took too long to arrive.']
        : ['400 Bad Request', 'This is not a valid HTTP request.']
  const body = JSON.stringify({ error: sentence })
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
