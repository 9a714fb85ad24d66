import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Problem, type ProblemCode } from '../domain/problem.ts'
import { fieldName } from './field-names.ts'

const STATUS: Record<ProblemCode, number> = {
  invalid: 400,
  not_found: 404,
  slot_unavailable: 400,
  duplicate_booking: 400,
  honeypot_filled: 400,
  captcha_missing: 400,
  captcha_failed: 400,
  captcha_unreachable: 400,
  email_blocked: 400,
  idempotency_mismatch: 400,
  rate_limited: 429,
  unauthenticated: 401,
  forbidden: 403,
  link_dead: 400,
  state_conflict: 409,
  too_late: 409,
  slug_taken: 409,
  in_use: 409,
  changed_meanwhile: 412,
  unavailable: 503,
}

/** The one shape of every failure. */
export const ProblemBody = Type.Object(
  { error: Type.String({ description: 'A sentence that says what to do about it.' }) },
  { $id: 'Error', title: 'Error' },
)

/** The failures that a route may answer with, for its schema. */
export function problems<const Statuses extends readonly number[]>(
  ...statuses: Statuses
): Record<Statuses[number], typeof ProblemBody> {
  const entries = statuses.map((status) => [status, ProblemBody])
  return Object.fromEntries(entries) as Record<Statuses[number], typeof ProblemBody>
}

export interface ProblemOptions {
  /** Says whether an error means that a backing service is away, so that trying again may help. */
  readonly isUnavailable: (error: unknown) => boolean
  /** Shows the failure as a page, where a person is looking. */
  readonly showFailure?: (
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    sentence: string,
  ) => Promise<FastifyReply> | undefined
}

/** The one place where a failure becomes a response. */
export function answerProblems(app: FastifyInstance, options: ProblemOptions): void {
  app.setErrorHandler((error: FastifyError, request, reply) => answer(error, request, reply, options))
  app.setNotFoundHandler(answerNotFound)
}

export const nothingThere = () => new Problem('not_found', 'There is nothing at this address.')

export function answerNotFound(): never {
  throw nothingThere()
}

function answer(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  { isUnavailable, showFailure }: ProblemOptions,
): FastifyReply | Promise<FastifyReply> {
  const send = (status: number, sentence: string) =>
    showFailure?.(request, reply, status, sentence) ?? reply.code(status).send({ error: sentence })
  if (error instanceof Problem) {
    if (error.code === 'unavailable') {
      request.log.error(error)
      reply.header('retry-after', TRY_AGAIN_SECONDS)
    }
    if (error.field === undefined || !HOST_API.test(request.routeOptions.url ?? '')) {
      return send(STATUS[error.code], error.message)
    }
    reply.header(ERROR_FIELD, headerText(error.field))
    const sentence =
      error.complaint === undefined ? error.message : `${fieldName(error.field)} ${error.complaint}`
    return send(STATUS[error.code], sentence)
  }
  if (isUnavailable(error)) {
    request.log.error(error)
    reply.header('retry-after', TRY_AGAIN_SECONDS)
    return send(503, 'The service cannot reach its database just now. Please try again in a moment.')
  }
  const status = error.statusCode ?? 500
  if (status >= 400 && status < 500) {
    return send(status, SENTENCES[error.code] ?? BY_STATUS[status] ?? 'The request is not valid.')
  }
  request.log.error(error)
  return send(500, 'Something went wrong on our side.')
}

/** Signing in, and what hosts set up: the routes whose refusals name their field. */
export const HOST_API = /^\/api\/(?:admin|auth)\//

/** The response header with the path of the field that a refusal is about. */
export const ERROR_FIELD = 'Error-Field'

/** A path may contain a key that the client chose: text of any kind, and of any length. */
const headerText = (path: string) =>
  path
    .slice(0, 200)
    .toWellFormed()
    .replaceAll(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character))

const TRY_AGAIN_SECONDS = '5'

const SENTENCES: Record<string, string> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The body must be JSON, and must not be empty.',
  FST_ERR_BAD_URL: 'The address is not valid.',
  FST_ERR_MAX_PARAM_LENGTH: 'The address is too long.',
}

const BY_STATUS: Record<number, string> = {
  400: 'The body is not valid JSON.',
  404: 'There is nothing at this address.',
  413: 'The body is larger than 64 KB.',
  414: 'The address is too long.',
  415: 'Send the body as application/json.',
}

/** Answers a request that expects of the server what it does not do. */
export function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify({ error: 'This server does not do what the Expect header asks for.' })
  response.writeHead(417, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  })
  response.end(body)
}

/** Answers what never became a request: broken HTTP, headers without end. */
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
