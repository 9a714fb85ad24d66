import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { formatInstant } from '../../../domain/instant.ts'
import type { Language } from '../../../domain/languages.ts'
import { storedImage, withShownImages } from '../../../domain/people/image.ts'
import { Type } from '../../../format/type.ts'
import type { Context } from '../../../services/context.ts'
import { confirmEmailChange, requestEmailChange } from '../../../services/people/change-email.ts'
import { getMe, type Me, type PageChange, updateMe } from '../../../services/people/me.ts'
import { endSession, listSessions } from '../../../services/people/sign-in/sign-in.ts'
import { problems } from '../../problems.ts'
import type { ReplyOf, RequestOf } from '../../typed-route.ts'
import { principalOf } from '../principal.ts'
import { IdPath, pick } from '../request.ts'
import { checkVersion, sendVersioned } from '../versions.ts'
import { ChangeEmail, ChangeMe, ChangePage, ConfirmEmail, MeView, Sent, SessionsView } from './schemas.ts'

/** The signed-in user. */
export const meRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.get('/me', { schema: GET }, (request, reply) => get(context, request, reply))
  app.patch('/me', { schema: UPDATE }, (request, reply) => update(context, request, reply))
  app.post('/me/email', { schema: REQUEST_NEW_EMAIL }, (request, reply) =>
    requestNewEmail(context, request, reply),
  )
  app.post('/me/email/confirm', { schema: CONFIRM_NEW_EMAIL }, (request, reply) =>
    confirmNewEmail(context, request, reply),
  )
  app.get('/me/sessions', { schema: LIST_SESSIONS }, (request) => sessions(context, request))
  app.delete('/me/sessions/:id', { schema: END_SESSION }, (request, reply) => end(context, request, reply))
}

const tags = ['Me']

const GET = {
  operationId: 'getMe',
  summary: 'The signed-in user',
  tags,
  response: { 200: MeView, ...problems(401) },
}

async function get(context: Context, request: RequestOf<typeof GET>, reply: ReplyOf<typeof GET>) {
  return sendVersioned(reply, toMeView(await getMe(context, principalOf(request)), context.publicUrl))
}

const UPDATE = {
  operationId: 'updateMe',
  summary: 'Change your profile, slug, time zone, branding, language, or how you read times',
  tags,
  body: ChangeMe,
  response: { 200: MeView, ...problems(400, 401, 409, 412) },
}

async function update(context: Context, request: RequestOf<typeof UPDATE>, reply: ReplyOf<typeof UPDATE>) {
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
}

const REQUEST_NEW_EMAIL = {
  operationId: 'requestEmailChange',
  summary: 'Ask for another email address to sign in with',
  description:
    'Mails a link to the new address, and a notice to the present one. Nothing changes until the link is followed, within an hour. Not for API tokens.',
  tags,
  body: ChangeEmail,
  response: { 202: Sent, ...problems(400, 401, 403, 409, 429) },
}

async function requestNewEmail(
  context: Context,
  request: RequestOf<typeof REQUEST_NEW_EMAIL>,
  reply: ReplyOf<typeof REQUEST_NEW_EMAIL>,
) {
  await requestEmailChange(context, principalOf(request), request.body.email)
  return reply.code(202).send({ message: 'A link is on its way to the new address.' })
}

const CONFIRM_NEW_EMAIL = {
  operationId: 'confirmEmailChange',
  summary: 'Change your email address to the one that got the link',
  description: 'Your sessions, API tokens, bookings and feed stay as they are. The former address is told.',
  tags,
  body: ConfirmEmail,
  response: { 200: MeView, ...problems(400, 401, 403, 409) },
}

async function confirmNewEmail(
  context: Context,
  request: RequestOf<typeof CONFIRM_NEW_EMAIL>,
  reply: ReplyOf<typeof CONFIRM_NEW_EMAIL>,
) {
  const principal = principalOf(request)
  await confirmEmailChange(context, principal, request.body.token)
  return sendVersioned(reply, toMeView(await getMe(context, principal), context.publicUrl))
}

const LIST_SESSIONS = {
  operationId: 'listSessions',
  summary: 'Where you are signed in, newest first',
  description: 'Not for API tokens.',
  tags,
  response: { 200: SessionsView, ...problems(401, 403) },
}

async function sessions(context: Context, request: RequestOf<typeof LIST_SESSIONS>) {
  const principal = principalOf(request)
  const items = await listSessions(context, principal)
  return {
    items: items.map(({ id, createdAt, lastUsedAt, device }) => ({
      id,
      createdAt: formatInstant(createdAt),
      lastUsedAt: formatInstant(lastUsedAt),
      ...device,
      current: id === principal.via.id,
    })),
  }
}

const END_SESSION = {
  operationId: 'endSession',
  summary: 'End one of your sessions',
  description: 'Its access token ends at once. Ending the current one signs you out. Not for API tokens.',
  tags,
  params: IdPath,
  response: { 204: Type.Null(), ...problems(401, 403, 404) },
}

async function end(
  context: Context,
  request: RequestOf<typeof END_SESSION>,
  reply: ReplyOf<typeof END_SESSION>,
) {
  await endSession(context, principalOf(request), request.params.id)
  return reply.code(204).send(null)
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
