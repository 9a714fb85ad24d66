import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { queryOf } from '../../domain/bookings/guest-access.ts'
import { LOCATION_TYPES } from '../../domain/event-types/location.ts'
import { publicEventType } from '../../domain/event-types/public-event-type.ts'
import { withShownImages } from '../../domain/people/image.ts'
import { type Scheduler, THEMES } from '../../domain/people/scheduler.ts'
import { PUBLIC_EVENT_TYPE } from '../../format/event-type-schema.ts'
import { list, oneOf } from '../../format/schema.ts'
import { Type } from '../../format/type.ts'
import { openEventType } from '../../services/bookings/guest/open-event-type.ts'
import type { Context } from '../../services/context.ts'
import { getForm } from '../../services/forms/get.ts'
import { asksForSms } from '../../services/messages/messages.ts'
import { getProfile } from '../../services/people/get-profile.ts'
import { problems } from '../problems.ts'
import { FormView, toFormView } from '../public/routing.ts'
import { tokensOf } from '../public/scheduling.ts'
import { AbuseConfig, AccessQuery, Branding, questionsView } from '../public/schemas.ts'
import { toAbuseConfig } from '../public/views.ts'

const common = {
  name: Type.String({ description: 'Display name.' }),
  url: Type.String({ description: 'The page that the widget shows.' }),
  branding: Branding,
  theme: oneOf(THEMES),
  locale: Type.String({ description: 'The host’s language, such as en.' }),
}

const ProfileWidget = Type.Object(
  {
    kind: oneOf(['profile']),
    ...common,
    eventTypes: Type.Array(
      Type.Object({
        slug: Type.String(),
        name: Type.String(),
        durationMinutes: Type.Integer(),
        durations: PUBLIC_EVENT_TYPE.durations,
        url: Type.String({ description: 'The booking page.' }),
      }),
      { description: 'What can be booked, in the host’s order.' },
    ),
  },
  { title: 'ProfileWidget' },
)

const EventWidget = Type.Object(
  {
    kind: oneOf(['event']),
    ...common,
    ...Type.Omit(Type.Object(PUBLIC_EVENT_TYPE), ['id', 'slug', 'name']).properties,
    description: Type.String(),
    durationMinutes: Type.Integer(),
    location: Type.Object({ type: oneOf(LOCATION_TYPES) }),
    requiresApproval: Type.Boolean(),
    questions: questionsView('What a `select`, `radio` or `multiselect` offers; empty for every other type.'),
    sms: Type.Optional(
      Type.Literal(true, {
        description: 'Ask guests if they want text messages: `inviteePhone` and `smsConsent` in `book`.',
      }),
    ),
    abuseConfig: AbuseConfig,
    slotsUrl: Type.String({ description: 'Where to list slots.' }),
    bookUrl: Type.String({ description: 'Where to book.' }),
    allowedOrigins: list(Type.String(), {
      description: 'Sites that may show the page in a frame, such as https://www.example.com; empty: all.',
    }),
    returnUrl: Type.String({
      description: 'Where the page goes after booking, with `bookingId` and `status` added; empty: nowhere.',
    }),
  },
  { title: 'EventWidget' },
)

const FormWidget = Type.Object(
  {
    kind: oneOf(['form']),
    ...common,
    form: FormView,
    abuseConfig: AbuseConfig,
    evaluateUrl: Type.String({ description: 'Where to send the answers.' }),
  },
  { title: 'FormWidget' },
)

const userSlug = Type.String({ description: 'Slug of a user or a team.' })
const eventSlug = Type.String({ description: 'Slug of one of their event types.' })
const formSlug = Type.String({ description: 'Slug of one of their routing forms.' })

/** The configuration that the widget loads first. */
export const embedRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  const tags = ['Embed']
  const { publicUrl } = context
  const lookOf = (scheduler: Scheduler) => {
    const { branding, theme, locale } = withShownImages(publicUrl, scheduler)
    return { branding, theme, locale }
  }

  app.get(
    '/:userSlug',
    {
      schema: {
        operationId: 'getProfileWidget',
        summary: 'Widget configuration of a profile',
        description: 'What a widget that shows a whole profile needs.',
        tags,
        params: Type.Object({ userSlug }),
        response: { 200: ProfileWidget, ...problems(404) },
      },
    },
    async (request) => {
      const { scheduler, eventTypes } = await getProfile(context, request.params.userSlug)
      const url = `${publicUrl}/${scheduler.slug}`
      return {
        kind: 'profile' as const,
        name: scheduler.name,
        url,
        ...lookOf(scheduler),
        eventTypes: eventTypes.map(({ slug, name, durationMinutes, durations }) => ({
          slug,
          name,
          durationMinutes,
          durations,
          url: `${url}/${slug}`,
        })),
      }
    },
  )

  app.get(
    '/:userSlug/:eventSlug',
    {
      schema: {
        operationId: 'getEventWidget',
        summary: 'Widget configuration of an event type',
        description:
          'What a widget for one event type needs: its questions, its protection, where to list and to book.',
        tags,
        params: Type.Object({ userSlug, eventSlug }),
        querystring: AccessQuery,
        response: { 200: EventWidget, ...problems(400, 404) },
      },
      attachValidation: true,
    },
    async (request) => {
      const { userSlug, eventSlug } = request.params
      const tokens = tokensOf(request.query)
      const { scheduler, eventType } = (await openEventType(context, userSlug, eventSlug, tokens)).bookable
      const query = queryOf(tokens) && `?${queryOf(tokens)}`
      const api = `${publicUrl}/api/public/scheduling/${scheduler.slug}/${eventType.slug}`
      return {
        kind: 'event' as const,
        ...publicEventType(eventType),
        url: `${publicUrl}/${scheduler.slug}/${eventType.slug}${query}`,
        ...lookOf(scheduler),
        questions: eventType.questions,
        ...((await asksForSms(context, eventType)) && { sms: true as const }),
        abuseConfig: toAbuseConfig(context, 'scheduling', scheduler, eventType),
        slotsUrl: `${api}/slots${query}`,
        bookUrl: `${api}/book${query}`,
        allowedOrigins: eventType.allowedOrigins,
        returnUrl: eventType.returnUrl,
      }
    },
  )

  app.get(
    '/routing/:userSlug/:formSlug',
    {
      schema: {
        operationId: 'getFormWidget',
        summary: 'Widget configuration of a routing form',
        description:
          'What a widget for a routing form needs: the form, its protection, and where to send the answers.',
        tags,
        params: Type.Object({ userSlug, formSlug }),
        response: { 200: FormWidget, ...problems(404) },
      },
    },
    async (request) => {
      const published = await getForm(context, request.params.userSlug, request.params.formSlug)
      const { form, scheduler } = published
      return {
        kind: 'form' as const,
        name: form.name,
        url: `${publicUrl}/${scheduler.slug}/forms/${form.slug}`,
        ...lookOf(scheduler),
        form: toFormView(published),
        abuseConfig: toAbuseConfig(context, 'routing', scheduler, form),
        evaluateUrl: `${publicUrl}/api/public/routing/${scheduler.slug}/${form.slug}/evaluate`,
      }
    },
  )
}
