import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Language } from '../../../domain/languages.ts'
import { storedImage, withShownImages } from '../../../domain/people/image.ts'
import type { Context } from '../../../services/context.ts'
import { getMe, type Me, type PageChange, updateMe } from '../../../services/people/me.ts'
import { problems } from '../../problems.ts'
import { principalOf } from '../principal.ts'
import { pick } from '../request.ts'
import { checkVersion, sendVersioned } from '../versions.ts'
import { ChangeMe, ChangePage, MeView } from './schemas.ts'

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
    theme: user.theme,
    branding,
    timeFormat: user.timeFormat,
    weekStart: user.weekStart,
    teams: teams.map(({ team, role }) => ({ id: team.id, slug: team.slug, name: team.name, role })),
  }
}
