import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Language } from '../../../domain/languages.ts'
import { storedImage, withShownImages } from '../../../domain/people/image.ts'
import type { Context } from '../../../services/context.ts'
import { confirmEmailChange, requestEmailChange } from '../../../services/people/change-email.ts'
import { getMe, type Me, type PageChange, updateMe } from '../../../services/people/me.ts'
import { problems } from '../../problems.ts'
import { principalOf } from '../principal.ts'
import { pick } from '../request.ts'
import { checkVersion, sendVersioned } from '../versions.ts'
import { ChangeEmail, ChangeMe, ChangePage, ConfirmEmail, MeView, Sent } from './schemas.ts'

/** The signed-in user. */
export const meRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  const tags = ['Me']

  app.get(
    '/me',
    {
      schema: {
        operationId: 'getMe',
        summary: 'The signed-in user',
        tags,
        response: { 200: MeView, ...problems(401) },
      },
    },
    async (request, reply) =>
      sendVersioned(reply, toMeView(await getMe(context, principalOf(request)), context.publicUrl)),
  )

  app.patch(
    '/me',
    {
      schema: {
        operationId: 'updateMe',
        summary: 'Change your profile, slug, time zone, branding, language, or how you read times',
        tags,
        body: ChangeMe,
        response: { 200: MeView, ...problems(400, 401, 409, 412) },
      },
    },
    async (request, reply) => {
      const { timeFormat, weekStart, ...page } = pick(request.body, ChangeMe)
      const input = {
        ...toPageChange(page, context.publicUrl),
        ...(timeFormat !== undefined && { timeFormat }),
        ...(weekStart !== undefined && { weekStart }),
      }
      const me = await updateMe(context, principalOf(request), input, (now) =>
        checkVersion(request, toMeView(now, context.publicUrl)),
      )
      return sendVersioned(reply, toMeView(me, context.publicUrl))
    },
  )

  app.post(
    '/me/email',
    {
      schema: {
        operationId: 'requestEmailChange',
        summary: 'Ask for another email address to sign in with',
        description:
          'Mails a link to the new address, and a notice to the present one. Nothing changes until the link is followed, within an hour. Not for API tokens.',
        tags,
        body: ChangeEmail,
        response: { 202: Sent, ...problems(400, 401, 403, 409, 429) },
      },
    },
    async (request, reply) => {
      await requestEmailChange(context, principalOf(request), request.body.email)
      return reply.code(202).send({ message: 'A link is on its way to the new address.' })
    },
  )

  app.post(
    '/me/email/confirm',
    {
      schema: {
        operationId: 'confirmEmailChange',
        summary: 'Change your email address to the one that got the link',
        description:
          'Your sessions, API tokens, bookings and feed stay as they are. The former address is told.',
        tags,
        body: ConfirmEmail,
        response: { 200: MeView, ...problems(400, 401, 403, 409) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      await confirmEmailChange(context, principal, request.body.token)
      return sendVersioned(reply, toMeView(await getMe(context, principal), context.publicUrl))
    },
  )
}

/** From the wire's names to the domain's. */
export function toPageChange(
  { timezone, branding, avatarUrl, ...rest }: ChangePage,
  publicUrl: string,
): PageChange {
  const { logoUrl, ...colours } = pick(branding ?? {}, ChangePage.properties.branding)
  return {
    ...rest,
    ...(avatarUrl !== undefined && { avatarUrl: storedImage(publicUrl, avatarUrl) }),
    ...(timezone !== undefined && { timeZone: timezone }),
    ...(branding !== undefined && {
      branding: { ...colours, ...(logoUrl !== undefined && { logoUrl: storedImage(publicUrl, logoUrl) }) },
    }),
  } as PageChange
}

function toMeView({ user, teams }: Me, publicUrl: string): MeView {
  const { avatarUrl, branding } = withShownImages(publicUrl, user)
  return {
    id: user.id,
    email: user.email,
    admin: user.admin,
    slug: user.slug,
    name: user.name,
    bio: user.bio,
    avatarUrl,
    timezone: user.timeZone,
    locale: user.locale as Language,
    germanAddress: user.germanAddress,
    theme: user.theme,
    branding,
    timeFormat: user.timeFormat,
    weekStart: user.weekStart,
    teams: teams.map(({ team, role }) => ({ id: team.id, slug: team.slug, name: team.name, role })),
  }
}
