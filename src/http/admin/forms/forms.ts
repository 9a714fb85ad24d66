import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import {
  type Condition,
  FIELD_TYPES,
  type FormContent,
  OPERATORS,
  type RoutingForm,
  type Target,
} from '../../../domain/forms/routing.ts'
import type { Context } from '../../../services/context.ts'
import { changeForm, createForm, getOwnForm, listForms, removeForm } from '../../../services/forms/forms.ts'
import { problems } from '../../problems.ts'
import {
  checkVersion,
  IdPath,
  PageQuery,
  pageOf,
  pick,
  principalOf,
  readLimit,
  sendVersioned,
  toPage,
} from '../desk.ts'

const oneOf = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: values })
const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const ACTIONS = ['routeToEvent', 'redirect', 'message'] as const

/** Where a visitor is led; what does not apply to the action is null. */
export const TargetView = Type.Object({
  action: oneOf(ACTIONS),
  eventTypeId: nullable(Type.String({ description: 'With routeToEvent: one of the owner’s event types.' })),
  redirectUrl: nullable(Type.String({ description: 'With redirect: an https address.' })),
  message: nullable(Type.String({ description: 'With message: what the visitor reads.' })),
})

const GivenTarget = Type.Object({
  action: oneOf(ACTIONS),
  eventTypeId: Type.Optional(nullable(Type.String({ maxLength: 64 }))),
  redirectUrl: Type.Optional(nullable(Type.String({ maxLength: 2000 }))),
  message: Type.Optional(nullable(Type.String({ maxLength: 5000 }))),
})

// Its shape is checked by the domain, whose reasons say more than a schema's.
const When = Type.Unsafe<Condition>({
  type: 'object',
  additionalProperties: true,
  description: `A tree, at most 8 deep. A comparison is \`{ "field": id, "operator": one of ${OPERATORS.join(', ')}, "value": text }\`; the value of isAnyOf is a list, isEmpty and isNotEmpty have none, and a select is compared by the ids of its options. \`{ "all": [ … ] }\` holds when every condition in it does, \`{ "any": [ … ] }\` when one does. Text compares trimmed and without case.`,
  examples: [
    {
      all: [
        { field: 'reason', operator: 'isAnyOf', value: ['sales', 'support'] },
        { field: 'email', operator: 'endsWith', value: '@example.com' },
      ],
    },
  ],
})

const FieldOption = Type.Object({
  id: Type.String({ maxLength: 64, description: 'The answer: letters, digits, _ and -.' }),
  label: Type.String({ maxLength: 500 }),
})
const field = {
  id: Type.String({ maxLength: 64, description: 'The key of the answer: letters, digits, _ and -.' }),
  label: Type.String({ maxLength: 500 }),
  type: oneOf(FIELD_TYPES),
}
const details = {
  name: Type.String({ maxLength: 200 }),
  slug: Type.String({ maxLength: 64 }),
  description: nullable(Type.String({ maxLength: 5000 })),
}

const FormView = Type.Object({
  id: Type.String(),
  ownerId: Type.String(),
  ...details,
  fields: Type.Array(Type.Object({ ...field, required: Type.Boolean(), options: Type.Array(FieldOption) })),
  rules: Type.Array(Type.Object({ when: When, target: TargetView }), {
    description: 'The first rule that holds decides.',
  }),
  fallback: TargetView,
})

const ChangeForm = Type.Partial(
  Type.Object({
    ...details,
    fields: Type.Array(
      Type.Object({
        ...field,
        required: Type.Optional(Type.Boolean()),
        options: Type.Optional(
          Type.Array(FieldOption, { maxItems: 200, description: 'Of a select, and of nothing else.' }),
        ),
      }),
      { maxItems: 100 },
    ),
    rules: Type.Array(Type.Object({ when: When, target: GivenTarget }), { maxItems: 200 }),
    fallback: GivenTarget,
  }),
)
const CreateForm = Type.Object({
  ...ChangeForm.properties,
  name: details.name,
  slug: details.slug,
  fallback: GivenTarget,
  teamId: Type.Optional(Type.String({ description: 'Whose it is to be; without it, yours.' })),
})

/** Routing forms of the user and of their teams. */
export const routingFormRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (
  app,
  { context },
) => {
  const tags = ['Routing forms']
  const seen = { 200: FormView, ...problems(401, 404) }

  app.get(
    '/routing-forms',
    {
      schema: {
        operationId: 'listRoutingForms',
        summary: 'Your routing forms, and your teams’',
        tags,
        querystring: Type.Object({ ...PageQuery.properties, ownerId: Type.Optional(Type.String()) }),
        response: { 200: pageOf(FormView), ...problems(400, 401, 404) },
      },
    },
    async (request) => {
      const limit = readLimit(request.query)
      const { ownerId, cursor } = request.query
      const found = await listForms(context, principalOf(request), ownerId, cursor, limit + 1)
      return toPage(found, limit, ({ id }) => id, toView)
    },
  )

  app.post(
    '/routing-forms',
    {
      schema: {
        operationId: 'createRoutingForm',
        summary: 'Add a routing form',
        tags,
        body: CreateForm,
        response: { 201: FormView, ...problems(400, 401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const { teamId = principal.userId, ...input } = pick(request.body, CreateForm)
      const made = await createForm(context, principal, teamId, toContent(input) as FormContent)
      return reply.code(201).send(sendVersioned(reply, toView(made)))
    },
  )

  app.get(
    '/routing-forms/:id',
    {
      schema: {
        operationId: 'getOwnRoutingForm',
        summary: 'A routing form with its rules',
        tags,
        params: IdPath,
        response: seen,
      },
    },
    async (request, reply) =>
      sendVersioned(reply, toView(await getOwnForm(context.db, principalOf(request), request.params.id))),
  )

  app.patch(
    '/routing-forms/:id',
    {
      schema: {
        operationId: 'updateRoutingForm',
        summary: 'Change a routing form; an old slug goes on working',
        tags,
        params: IdPath,
        body: ChangeForm,
        response: { ...seen, ...problems(400, 403, 409, 412) },
      },
    },
    async (request, reply) => {
      const input = toContent(pick(request.body, ChangeForm))
      const changed = await changeForm(context, principalOf(request), request.params.id, input, (now) =>
        checkVersion(request, toView(now)),
      )
      return sendVersioned(reply, toView(changed))
    },
  )

  app.delete(
    '/routing-forms/:id',
    {
      schema: {
        operationId: 'deleteRoutingForm',
        summary: 'Delete a routing form',
        tags,
        params: IdPath,
        querystring: Type.Object({
          force: Type.Optional(
            Type.Unsafe<string>({
              type: 'string',
              enum: ['true', 'false', ''],
              description: 'true: even if it has been answered. All responses are deleted with it.',
            }),
          ),
        }),
        response: { 204: Type.Null(), ...problems(400, 401, 403, 404, 409, 412) },
      },
    },
    async (request, reply) => {
      const force = request.query.force === 'true'
      await removeForm(context, principalOf(request), request.params.id, { force }, (now) =>
        checkVersion(request, toView(now)),
      )
      return reply.code(204).send(null)
    },
  )
}

/** From the wire's names to the domain's. */
function toContent({ fields, rules, fallback, ...rest }: Static<typeof ChangeForm>): Partial<FormContent> {
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
  } as Partial<FormContent>
}

// Whether the action has what it needs is for the domain to say.
const toTarget = ({ redirectUrl, ...rest }: Static<typeof GivenTarget>) =>
  ({ ...rest, url: redirectUrl }) as unknown as Target

export function toTargetView(target: Target): Static<typeof TargetView> {
  return {
    action: target.action,
    eventTypeId: target.action === 'routeToEvent' ? target.eventTypeId : null,
    redirectUrl: target.action === 'redirect' ? target.url : null,
    message: target.action === 'message' ? target.message : null,
  }
}

function toView(form: RoutingForm): Static<typeof FormView> {
  const { id, schedulerId, name, slug, description, fields, rules, fallback } = form
  return {
    id,
    ownerId: schedulerId,
    name,
    slug,
    description,
    fields: fields.map((asked) => ({ ...asked, options: [...asked.options] })),
    rules: rules.map(({ when, target }) => ({ when, target: toTargetView(target) })),
    fallback: toTargetView(fallback),
  }
}
