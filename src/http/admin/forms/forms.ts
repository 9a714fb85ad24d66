import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import type { FormContent, RoutingForm, Target } from '../../../domain/forms/routing.ts'
import { oneOf } from '../../../format/schema.ts'
import { Type } from '../../../format/type.ts'
import type { Context } from '../../../services/context.ts'
import {
  changeForm,
  createForm,
  getWarnedForm,
  listForms,
  removeForm,
  rotateLookupSecret,
  type TriedForm,
  tryForm,
} from '../../../services/forms/forms.ts'
import type { WarnedForm } from '../../../services/forms/warnings.ts'
import { answerIn } from '../../language.ts'
import { problems } from '../../problems.ts'
import type { ReplyOf, RequestOf } from '../../typed-route.ts'
import { answerPage, OwnedPageQuery, pageOf } from '../paging.ts'
import { principalOf } from '../principal.ts'
import { IdPath, pick } from '../request.ts'
import { sendVersioned, versionIn } from '../versions.ts'
import {
  ChangeForm,
  CreateForm,
  FormView,
  type GivenTarget,
  type HostedTargetView,
  LookupSecretView,
  type TargetView,
  TriedFormView,
  TryForm,
} from './schemas.ts'

/** Routing forms of the user and their teams. */
export const routingFormRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (
  app,
  { context },
) => {
  app.get('/routing-forms', { schema: LIST }, (request) => list(context, request))
  app.post('/routing-forms', { schema: CREATE }, (request, reply) => create(context, request, reply))
  app.get('/routing-forms/:id', { schema: GET }, (request, reply) => get(context, request, reply))
  app.patch('/routing-forms/:id', { schema: UPDATE }, (request, reply) => update(context, request, reply))
  app.post('/routing-forms/:id/try', { schema: TRY_ANSWERS }, (request) => tryAnswers(context, request))
  app.post('/routing-forms/:id/rotate-lookup-secret', { schema: ROTATE_SECRET }, (request) =>
    rotateSecret(context, request),
  )
  app.delete('/routing-forms/:id', { schema: REMOVE }, (request, reply) => remove(context, request, reply))
}

const tags = ['Routing forms']
const seen = { 200: FormView, ...problems(401, 404) }

const LIST = {
  operationId: 'listRoutingForms',
  summary: 'Routing forms of you and your teams',
  tags,
  querystring: OwnedPageQuery,
  response: { 200: pageOf(FormView), ...problems(400, 401, 404) },
}

async function list(context: Context, request: RequestOf<typeof LIST>) {
  return answerPage(
    request.query,
    (page) => listForms(context, principalOf(request), request.query.ownerId, page),
    ({ form }) => form.id,
    toView,
  )
}

const CREATE = {
  operationId: 'createRoutingForm',
  summary: 'Add a routing form',
  tags,
  body: CreateForm,
  response: { 201: FormView, ...problems(400, 401, 403, 404, 409) },
}

async function create(context: Context, request: RequestOf<typeof CREATE>, reply: ReplyOf<typeof CREATE>) {
  const principal = principalOf(request)
  const { teamId = principal.userId, ...input } = pick(request.body, CreateForm)
  const made = await createForm(context, principal, teamId, toContent(input) as FormContent)
  return reply.code(201).send(send(reply, made))
}

const GET = {
  operationId: 'getOwnRoutingForm',
  summary: 'A routing form with its rules',
  tags,
  params: IdPath,
  response: seen,
}

async function get(context: Context, request: RequestOf<typeof GET>, reply: ReplyOf<typeof GET>) {
  return send(reply, await getWarnedForm(context, principalOf(request), request.params.id))
}

const UPDATE = {
  operationId: 'updateRoutingForm',
  summary: 'Change a routing form; the old slug keeps working',
  tags,
  params: IdPath,
  body: ChangeForm,
  response: { ...seen, ...problems(400, 403, 409, 412) },
}

async function update(context: Context, request: RequestOf<typeof UPDATE>, reply: ReplyOf<typeof UPDATE>) {
  const input = toContent(pick(request.body, ChangeForm))
  const changed = await changeForm(context, principalOf(request), versionIn(request, toSettings), input)
  return send(reply, changed)
}

const TRY_ANSWERS = {
  operationId: 'tryRoutingForm',
  summary: 'Where answers would lead, and why',
  description:
    'Says which rule decides and what became of every other rule. Nothing is recorded, and spam protection is not asked. It takes the right to change the form.',
  tags,
  params: IdPath,
  body: TryForm,
  response: { 200: TriedFormView, ...problems(400, 401, 403, 404) },
}

async function tryAnswers(context: Context, request: RequestOf<typeof TRY_ANSWERS>) {
  const { problem, ...tried } = await tryForm(
    context,
    principalOf(request),
    request.params.id,
    request.body.answers,
  )
  return toTriedView(tried, problem && answerIn(request, problem).text)
}

const ROTATE_SECRET = {
  operationId: 'rotateLookupSecret',
  summary: 'Make a new secret for owner lookups; the old one signs nothing from then on',
  tags,
  params: IdPath,
  response: { 200: LookupSecretView, ...problems(401, 403, 404) },
}

async function rotateSecret(context: Context, request: RequestOf<typeof ROTATE_SECRET>) {
  return {
    lookupSecret: await rotateLookupSecret(context, principalOf(request), request.params.id),
  }
}

const REMOVE = {
  operationId: 'deleteRoutingForm',
  summary: 'Delete a routing form',
  tags,
  params: IdPath,
  querystring: Type.Object({
    force: Type.Optional(
      oneOf(['true', 'false', ''], 'true: also if it has responses, which are deleted with it.'),
    ),
  }),
  response: { 204: Type.Null(), ...problems(400, 401, 403, 404, 409, 412) },
}

async function remove(context: Context, request: RequestOf<typeof REMOVE>, reply: ReplyOf<typeof REMOVE>) {
  const force = request.query.force === 'true'
  await removeForm(context, principalOf(request), versionIn(request, toSettings), { force })
  return reply.code(204).send(null)
}

function send(reply: FastifyReply, warned: WarnedForm): FormView {
  sendVersioned(reply, toSettings(warned.form))
  return toView(warned)
}

/** From the wire's names to the domain's. */
function toContent({ fields, rules, fallback, tests, ...rest }: ChangeForm): Partial<FormContent> {
  return {
    ...rest,
    ...(fields && {
      fields: fields.map((given) => ({
        ...given,
        required: given.required ?? false,
        options: given.options ?? [],
      })),
    }),
    ...(rules && { rules: rules.map(({ when, target }) => ({ when, target: toTarget(target) })) }),
    ...(fallback && { fallback: toTarget(fallback) }),
    ...(tests && { tests: tests.map((test) => ({ ...test, expect: toTarget(test.expect) })) }),
  } as Partial<FormContent>
}

// The domain checks whether the action has what it needs.
const toTarget = ({ redirectUrl, ...rest }: GivenTarget) =>
  ({ ...rest, url: redirectUrl }) as unknown as Target

export function toTargetView(target: Target): TargetView {
  return {
    action: target.action,
    eventTypeId: target.action === 'routeToEvent' ? target.eventTypeId : null,
    redirectUrl: target.action === 'redirect' ? target.url : null,
    message: target.action === 'message' ? target.message : null,
  }
}

const toHostedTargetView = (target: Target): HostedTargetView => ({
  ...toTargetView(target),
  ...(target.action === 'routeToEvent' && target.owner && { owner: target.owner }),
  ...(target.action === 'routeToEvent' && target.ownerLookupUrl && { ownerLookupUrl: target.ownerLookupUrl }),
  ...(target.action === 'routeToEvent' && target.hosts && { hosts: target.hosts }),
})

/** What hosts can change. Warnings also depend on event types, so they are no part of a form's version. */
function toSettings(form: RoutingForm): Omit<FormView, 'warnings'> {
  const { id, schedulerId, name, slug, description, fields, rules, fallback, abuse, tests } = form
  return {
    id,
    ownerId: schedulerId,
    name,
    slug,
    description,
    fields: fields.map((asked) => ({ ...asked, options: [...asked.options] })),
    rules: rules.map(({ when, target }) => ({ when, target: toHostedTargetView(target) })),
    fallback: toHostedTargetView(fallback),
    abuse: { ...abuse, blocklist: [...abuse.blocklist] },
    keepPersonalDataDays: form.keepPersonalDataDays,
    tests: tests.map(({ name, answers, expect }) => ({
      name,
      answers: Object.fromEntries(
        Object.entries(answers).map(([field, answer]) => [
          field,
          typeof answer === 'string' ? answer : [...answer],
        ]),
      ),
      expect: toTargetView(expect),
    })),
  }
}

const toWarningViews = (warnings: WarnedForm['warnings']): FormView['warnings'] =>
  warnings.map((warning) => ({ ...warning, by: [...warning.by] }))

const toView = ({ form, warnings, lookupSecret }: WarnedForm): FormView => ({
  ...toSettings(form),
  warnings: toWarningViews(warnings),
  ...(lookupSecret !== undefined && { lookupSecret }),
})

function toTriedView(
  { target, rule, rules, hosts, warnings }: Omit<TriedForm, 'problem'>,
  problem: string | null,
): TriedFormView {
  return {
    result: toTargetView(target),
    rule,
    problem,
    rules: [...rules],
    hosts: hosts && { ...hosts, hosts: [...hosts.hosts] },
    warnings: toWarningViews(warnings),
  }
}
