import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { ACTIONS, FIELD_TYPES } from '../../domain/forms/routing.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { findUnstorable, unstorable } from '../../domain/text.ts'
import { nullable, oneOf } from '../../format/schema.ts'
import { Type } from '../../format/type.ts'
import { createChallenge } from '../../services/check-captcha.ts'
import type { Context } from '../../services/context.ts'
import { countLeft, countOpened } from '../../services/forms/count-visitors.ts'
import { evaluateForm } from '../../services/forms/evaluate.ts'
import { getForm } from '../../services/forms/get.ts'
import type { PublishedForm } from '../../services/published-forms.ts'
import type { RateLimit } from '../../store/rate-limits.ts'
import { clientAddress, countRequest } from '../gate.ts'
import { problems } from '../problems.ts'
import type { ReplyOf, RequestOf } from '../typed-route.ts'
import type { PublicOptions } from './scheduling.ts'
import { AbuseConfig, Branding, Challenge } from './schemas.ts'
import { toAbuseConfig } from './views.ts'

const EVALUATIONS_PER_MINUTE = 30
const FORM_EVALUATIONS_PER_MINUTE = 300

const FormPath = Type.Object({
  userSlug: Type.String({ description: 'Slug of a user or a team.' }),
  formSlug: Type.String({ description: 'Slug of one of their routing forms.' }),
})

export const FormView = Type.Object(
  {
    id: Type.String({ description: 'Identifies the form.' }),
    name: Type.String({ description: 'Display name.' }),
    slug: Type.String({ description: 'The slug in the address.' }),
    description: nullable(Type.String(), 'Text for visitors.'),
    fields: Type.Array(
      Type.Object({
        id: Type.String({ description: 'The key of the answer.' }),
        label: Type.String({ description: 'The question.' }),
        type: oneOf(FIELD_TYPES),
        required: Type.Boolean({ description: 'Whether it must be answered.' }),
        options: Type.Array(
          Type.Object({ id: Type.String({ description: 'The answer to send.' }), label: Type.String() }),
          { description: 'What a `select` or `multiselect` offers; empty for every other type.' },
        ),
      }),
      { description: 'The questions, in order.' },
    ),
    branding: Branding,
  },
  { title: 'RoutingForm', description: 'Questions that lead a visitor on.' },
)

const Evaluation = Type.Object(
  {
    answers: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      maxProperties: 200,
      description:
        'Answers by field id: for a select the id of the option, for a multiselect a list of ids, for a number a number or text, otherwise text of at most 5,000 characters. Up to 20 answers to ids that the form does not know, of at most 200 characters each, are kept and ignored.',
    }),
    honeypotValue: Type.Optional(
      Type.String({ description: 'The hidden field of the form. Leave it empty.' }),
    ),
    captchaToken: Type.Optional(
      Type.String({
        maxLength: 20_000,
        description:
          'Needed when the form has a CAPTCHA: the token of its widget. For ALTCHA, base64 of `{ "challenge", "solution" }` as JSON.',
      }),
    ),
  },
  { title: 'Evaluation' },
)

const Leaving = Type.Object(
  { field: Type.String({ maxLength: 64, description: 'The id of the furthest question.' }) },
  { title: 'Leaving' },
)

const EvaluationQuery = Type.Object({
  dryRun: Type.Optional(
    oneOf(['true', 'false', ''], '`true`: say where the answers lead, and record nothing.'),
  ),
})

const RoutingResultView = Type.Object(
  {
    action: oneOf(ACTIONS),
    eventTypeSlug: nullable(Type.String(), 'Set when the action is routeToEvent.'),
    eventTypeName: nullable(Type.String(), 'Set when the action is routeToEvent.'),
    redirectUrl: nullable(Type.String(), 'Set when the action is redirect.'),
    message: nullable(Type.String(), 'Set when the action is message.'),
    routingToken: Type.Optional(
      Type.String({
        description:
          'Only when the action is routeToEvent, and not of a dry run: pass it on as `routing` to `slots`, `hold` and `book` of the event type. It lasts 24 hours, for one booking.',
      }),
    ),
    bookingUrl: Type.Optional(
      Type.String({ description: 'Only with a `routingToken`: the booking page, with it.' }),
    ),
  },
  { title: 'RoutingResult' },
)

/** The forms that requests are about, once these were counted. */
const forms = new WeakMap<FastifyRequest, PublishedForm>()

/** Routing forms, and where their answers lead. */
export const routingRoutes: FastifyPluginAsyncTypebox<PublicOptions> = async (
  app,
  { context, rateLimits },
) => {
  const perClient = rateLimits('evaluate', EVALUATIONS_PER_MINUTE, 60)
  const perForm = rateLimits('evaluate-form', FORM_EVALUATIONS_PER_MINUTE, 60)
  const leavingsPerClient = rateLimits('leave-form', EVALUATIONS_PER_MINUTE, 60)
  const leavingsPerForm = rateLimits('leave-this-form', FORM_EVALUATIONS_PER_MINUTE, 60)
  const countBy =
    (ofClient: RateLimit, ofForm: RateLimit) => async (request: FormRequest, reply: FastifyReply) => {
      await countRequest(ofClient, request, reply)
      const published = await formOf(context, request)
      await countRequest(ofForm, request, reply, { key: published.form.id, silent: true })
      forms.set(request, published)
    }

  app.get('/:userSlug/:formSlug', { schema: GET }, (request) => get(context, request))
  app.get('/:userSlug/:formSlug/abuse-config', { schema: SHOW_ABUSE_CONFIG }, (request) =>
    showAbuseConfig(context, request),
  )
  app.get('/:userSlug/:formSlug/challenge', { schema: SHOW_CHALLENGE }, (request, reply) =>
    showChallenge(context, request, reply),
  )
  app.post(
    '/:userSlug/:formSlug/left',
    { schema: LEAVE, onRequest: countBy(leavingsPerClient, leavingsPerForm) },
    (request, reply) => leave(context, request, reply),
  )
  app.post(
    '/:userSlug/:formSlug/evaluate',
    { schema: EVALUATE, onRequest: countBy(perClient, perForm) },
    (request) => evaluate(context, request),
  )
}

const tags = ['Routing']

const GET = {
  operationId: 'getRoutingForm',
  summary: 'A routing form',
  description: 'The questions to ask a visitor.',
  tags,
  params: FormPath,
  response: { 200: FormView, ...problems(404) },
}

async function get(context: Context, request: RequestOf<typeof GET>) {
  const published = await formOf(context, request)
  if (request.method === 'GET') countOpened(context, published)
  return toFormView(published)
}

const SHOW_ABUSE_CONFIG = {
  operationId: 'getFormAbuseConfig',
  summary: 'Which abuse-prevention measures a form has',
  description: 'Ask before showing the form: it says whether `evaluate` will need a CAPTCHA token.',
  tags,
  params: FormPath,
  response: { 200: AbuseConfig, ...problems(404) },
}

async function showAbuseConfig(context: Context, request: RequestOf<typeof SHOW_ABUSE_CONFIG>) {
  const { form, scheduler } = await formOf(context, request)
  return toAbuseConfig(context, 'routing', scheduler, form)
}

const SHOW_CHALLENGE = {
  operationId: 'getFormChallenge',
  summary: 'A fresh ALTCHA challenge for a form',
  description:
    'For forms whose `captchaProvider` is `altcha`: a proof-of-work puzzle, as for event types. It lasts 20 minutes; each solution is good for one evaluation.',
  tags,
  params: FormPath,
  response: { 200: Challenge, ...problems(404) },
}

async function showChallenge(
  context: Context,
  request: RequestOf<typeof SHOW_CHALLENGE>,
  reply: ReplyOf<typeof SHOW_CHALLENGE>,
) {
  const { form } = await formOf(context, request)
  return reply.header('cache-control', 'no-store').send(await createChallenge(context, form))
}

const LEAVE = {
  operationId: 'leaveRoutingForm',
  summary: 'Where a visitor left a form',
  description:
    'Send it when a visitor leaves the form without an answer, with the furthest question they came to: the host then sees where visitors give up. Only a number is kept.\n\nEach client address may send 30 a minute over all forms, and 300 a minute are counted for a form.',
  tags,
  params: FormPath,
  body: Leaving,
  response: { 204: Type.Null(), ...problems(400, 404, 429, 503) },
}

async function leave(context: Context, request: RequestOf<typeof LEAVE>, reply: ReplyOf<typeof LEAVE>) {
  countLeft(context, forms.get(request) as PublishedForm, request.body.field)
  return reply.code(204).send(null)
}

const EVALUATE = {
  operationId: 'evaluateRoutingForm',
  summary: 'Where these answers lead',
  description:
    'Routes a visitor to an event type, to another address or to a message, and records the answers with where they led. Fields of the result that do not apply are null.\n\nChecked in this order, and the first failure is the answer: rate limit, address, answers, honeypot, CAPTCHA, whether the answers can be accepted. Dry runs are checked in the same way.\n\nEach client address may try 30 times a minute over all forms, and a form answers 300 a minute, dry runs included.',
  tags,
  params: FormPath,
  querystring: EvaluationQuery,
  body: Evaluation,
  response: { 200: RoutingResultView, ...problems(400, 404, 429, 503) },
}

async function evaluate(context: Context, request: RequestOf<typeof EVALUATE>) {
  const reason = findUnstorable(request.body)
  if (reason !== undefined) throw new Problem('invalid', unstorable(reason, sentence`The body`))
  const dryRun = request.query.dryRun === 'true'
  return evaluateForm(context, forms.get(request) as PublishedForm, request.body, {
    dryRun,
    clientAddress: clientAddress(request),
  })
}

type FormRequest = FastifyRequest & { readonly params: Static<typeof FormPath> }

const formOf = (context: Context, { params }: FormRequest) =>
  getForm(context, params.userSlug, params.formSlug)

export function toFormView({ form, scheduler }: PublishedForm): Static<typeof FormView> {
  const { id, name, slug, description, fields } = form
  return {
    id,
    name,
    slug,
    description,
    fields: fields.map((field) => ({ ...field, options: [...field.options] })),
    branding: scheduler.branding,
  }
}
