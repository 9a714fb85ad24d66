import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { ROLES } from '../../../domain/people/user.ts'
import type { Context } from '../../../services/context.ts'
import { getMe, type Me, type PageChange, updateMe } from '../../../services/people/me.ts'
import { problems } from '../../problems.ts'
import { checkVersion, pick, principalOf, sendVersioned } from '../desk.ts'

export const LOCALES = ['en', 'de', 'es', 'fr', 'pt', 'ja'] as const
const oneOf = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: values })

/** What users and teams set about their own page. */
export const page = {
  slug: Type.String({ maxLength: 64 }),
  name: Type.String({ maxLength: 200 }),
  bio: Type.String({ maxLength: 5000 }),
  avatarUrl: Type.String({ maxLength: 2000 }),
  timezone: Type.String({ maxLength: 64 }),
  locale: oneOf(LOCALES),
  theme: oneOf(['light', 'dark', 'auto']),
  branding: Type.Object({ primaryColor: Type.String(), logoUrl: Type.String({ maxLength: 2000 }) }),
}

const MeView = Type.Object({
  id: Type.String(),
  email: Type.String(),
  admin: Type.Boolean({ description: 'May invite others to this instance.' }),
  ...page,
  teams: Type.Array(
    Type.Object({ id: Type.String(), slug: Type.String(), name: Type.String(), role: oneOf(ROLES) }),
  ),
})

export const ChangePage = Type.Partial(Type.Object({ ...page, branding: Type.Partial(page.branding) }))

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
    async (request, reply) => sendVersioned(reply, toMeView(await getMe(context, principalOf(request)))),
  )

  app.patch(
    '/me',
    {
      schema: {
        operationId: 'updateMe',
        summary: 'Change profile, slug, zone, branding or locale',
        tags,
        body: ChangePage,
        response: { 200: MeView, ...problems(400, 401, 409, 412) },
      },
    },
    async (request, reply) => {
      const input = toPageChange(pick(request.body, ChangePage))
      const me = await updateMe(context, principalOf(request), input, (now) =>
        checkVersion(request, toMeView(now)),
      )
      return sendVersioned(reply, toMeView(me))
    },
  )
}

/** From the wire's names to the domain's. */
export function toPageChange({ timezone, branding, ...rest }: Static<typeof ChangePage>): PageChange {
  return {
    ...rest,
    ...(timezone !== undefined && { timeZone: timezone }),
    ...(branding !== undefined && { branding: pick(branding, page.branding) as PageChange['branding'] }),
  } as PageChange
}

function toMeView({ user, teams }: Me): Static<typeof MeView> {
  return {
    id: user.id,
    email: user.email,
    admin: user.admin,
    slug: user.slug,
    name: user.name,
    bio: user.bio,
    avatarUrl: user.avatarUrl,
    timezone: user.timeZone,
    locale: user.locale as (typeof LOCALES)[number],
    theme: user.theme,
    branding: user.branding,
    teams: teams.map(({ team, role }) => ({ id: team.id, slug: team.slug, name: team.name, role })),
  }
}
