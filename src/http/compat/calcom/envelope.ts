import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../../domain/problem.ts'
import { type Sentence, sentence } from '../../../domain/sentence.ts'
import type { Context } from '../../../services/context.ts'
import { answerIn } from '../../language.ts'
import { answerNotFound, answerProblem, nothingThere, type ProblemOptions } from '../../problems.ts'

export const success = <T>(data: T) => ({ status: 'success', data }) as const

/** What their server calls each status. */
const NAMES: Readonly<Record<number, string>> = {
  400: 'BadRequestException',
  401: 'UnauthorizedException',
  403: 'ForbiddenException',
  404: 'NotFoundException',
  409: 'ConflictException',
  413: 'PayloadTooLargeException',
  415: 'UnsupportedMediaTypeException',
  422: 'UnprocessableEntityException',
  429: 'ThrottlerException',
  500: 'InternalServerErrorException',
  503: 'ServiceUnavailableException',
  504: 'GatewayTimeoutException',
}

/** Our fields that are called otherwise there. */
const FIELDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    startTime: 'start',
    endTime: 'lengthInMinutes',
    inviteeName: 'attendee.name',
    inviteeEmail: 'attendee.email',
    inviteePhone: 'attendee.phoneNumber',
    inviteeTimezone: 'attendee.timeZone',
    inviteeLocale: 'attendee.language',
    inviteeNotes: 'bookingFieldsResponses.notes',
    locationId: 'location',
    emailCode: 'emailVerificationCode',
    'repeat.count': 'recurrenceCount',
    url: 'subscriberUrl',
    events: 'triggers',
  }),
)

/** Requests whose time is taken, which their server answers with a status of its own. */
const unprocessable = new WeakSet<FastifyRequest>()

/** Refusals in the envelope that their clients read. */
export function answerInEnvelope(
  app: FastifyInstance,
  context: Context,
  options: Pick<ProblemOptions, 'isUnavailable'>,
): void {
  const showFailure = async (
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    refusal: Sentence,
  ): Promise<FastifyReply> => {
    const told = unprocessable.has(request) ? 422 : status
    const { field } = refusal
    const named = typeof field === 'string' ? { ...refusal, field: FIELDS.get(field) ?? field } : refusal
    const { text, language } = answerIn(request, named)
    return reply
      .code(told)
      .header('content-language', language)
      .send({
        status: 'error',
        timestamp: new Date(context.now()).toISOString(),
        path: request.url,
        error: { code: NAMES[told] ?? 'HttpException', message: text },
      })
  }
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const problem = error instanceof Problem ? translate(error, request) : error
    return answerProblem(problem as FastifyError, request, reply, {
      ...options,
      storage: context.storage,
      showFailure,
    })
  })
  app.setNotFoundHandler(answerNotFound)
  app.addHook('onRequest', (request, _reply, done) => done(request.is404 ? nothingThere() : undefined))
}

/** What programs can do about refusals whose cause their interface does not know. */
const ADVICE: Readonly<Partial<Record<Problem['code'], Sentence>>> = {
  captcha_missing: sentence`This event type asks for a CAPTCHA. Send an API token of its owner, or a solved challenge as captchaToken.`,
  email_unconfirmed: sentence`This event type asks guests to confirm their address. Request a code at /v2/bookings/verification/email/send-code, and send it as emailVerificationCode.`,
}

/** There, what a booking's state does not allow is a bad request. */
function translate(problem: Problem, request: FastifyRequest): Problem {
  const { code, sentence: said, field } = problem
  if (code === 'slot_unavailable' && request.routeOptions.url?.includes('/reservations') === true) {
    unprocessable.add(request)
  }
  if (code === 'state_conflict' || code === 'too_late' || code === 'host_unavailable') {
    return new Problem('invalid', said, { field, cause: problem })
  }
  const advice = ADVICE[code]
  return advice === undefined ? problem : new Problem(code, advice, { field, cause: problem })
}
