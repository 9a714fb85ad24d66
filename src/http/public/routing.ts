import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { Problem } from '../../domain/problem.ts'
import { FIELD_TYPES } from '../../domain/routing.ts'
import { findUnstorable } from '../../domain/text.ts'
import type { Context } from '../../services/context.ts'
import { evaluateForm } from '../../services/evaluate-form.ts'
import { getForm, type PublishedForm } from '../../services/get-form.ts'
import { ProblemBody } from '../problems.ts'
import { Branding } from './scheduling.ts'

const FormPath = Type.Object({ userSlug: Type.String(), formSlug: Type.String() })

export const FormView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  fields: Type.Array(
    Type.Object({
      id: Type.String(),
      label: Type.String(),
      type: Type.Unsafe<(typeof FIELD_TYPES)[number]>({ type: 'string', enum: FIELD_TYPES }),
      required: Type.Boolean(),
      options: Type.Array(Type.Object({ id: Type.String(), label: Type.String() })),
    }),
  ),
  branding: Branding,
})

const Evaluation = Type.Object({
  answers: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    maxProperties: 200,
    description: 'Answers by field id; for a select, the id of the option.',
  }),
})

const EvaluationQuery = Type.Object({
  dryRun: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      enum: ['true', 'false', ''],
      description: 'true: route without recording.',
    }),
  ),
})

const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const RoutingResultView = Type.Object({
  action: Type.Unsafe<'routeToEvent' | 'redirect' | 'message'>({
    type: 'string',
    enum: ['routeToEvent', 'redirect', 'message'],
  }),
  eventTypeSlug: nullable('Set when the action is routeToEvent.'),
  eventTypeName: nullable('Set when the action is routeToEvent.'),
  redirectUrl: nullable('Set when the action is redirect.'),
  message: nullable('Set when the action is message.'),
})

/** Routing forms: get one, answer it, be led on. */
export const routingRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  const tags = ['Routing']
  const forms = new WeakMap<FastifyRequest, PublishedForm>()

  app.get(
    '/:userSlug/:formSlug',
    {
      schema: {
        operationId: 'getRoutingForm',
        summary: 'A routing form',
        tags,
        params: FormPath,
        response: { 200: FormView, 404: ProblemBody },
      },
    },
    async (request) => toFormView(await getForm(context, request.params.userSlug, request.params.formSlug)),
  )

  app.post(
    '/:userSlug/:formSlug/evaluate',
    {
      schema: {
        operationId: 'evaluateRoutingForm',
        summary: 'Where these answers lead',
        tags,
        params: FormPath,
        querystring: EvaluationQuery,
        body: Evaluation,
        response: { 200: RoutingResultView, 400: ProblemBody, 404: ProblemBody },
      },
      onRequest: async (request) => {
        forms.set(request, await getForm(context, request.params.userSlug, request.params.formSlug))
      },
    },
    async (request) => {
      const unstorable = findUnstorable(request.body)
      if (unstorable !== undefined) throw new Problem('invalid', `The body ${unstorable}.`)
      const dryRun = request.query.dryRun === 'true'
      return evaluateForm(context, forms.get(request) as PublishedForm, request.body.answers, { dryRun })
    },
  )
}

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
