import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { clientKey } from '../../domain/client-address.ts'
import { chooseLocale } from '../../domain/languages.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { Type } from '../../format/type.ts'
import type { Context } from '../../services/context.ts'
import { mailboxHash } from '../../services/mailbox-hash.ts'
import { signInWithPasskey, signInWithRecoveryCode } from '../../services/people/sign-in/passkey-sign-in.ts'
import { CHALLENGE_LASTS, type PasskeyStep } from '../../services/people/sign-in/passkey-step.ts'
import { ACCESS_TOKEN_LASTS, authenticate } from '../../services/people/sign-in/principal.ts'
import {
  refreshSession,
  requestLink,
  type SignedIn,
  signOut,
  signOutEverywhere,
  verifyLink,
} from '../../services/people/sign-in/sign-in.ts'
import { signOutUrl } from '../../services/people/sign-in/single-sign-on.ts'
import type { RateLimit } from '../../store/rate-limits.ts'
import { bearerOf, clientAddress, countRequest, type RateLimits } from '../gate.ts'
import { problems } from '../problems.ts'
import { cookieOf, PASSKEY_COOKIE, setReturnCookie } from '../return-cookie.ts'
import type { ReplyOf, RequestOf } from '../typed-route.ts'
import { describeInvalidToHosts } from '../validation.ts'
import { forgetRefreshCookie, refreshCookieOf, setRefreshCookie, signingInWith } from './refresh-cookie.ts'

const Login = Type.Object({ email: Type.String({ maxLength: 254 }) })
const Verify = Type.Object({ token: Type.String({ maxLength: 200 }) })
const Accepted = Type.Object({ message: Type.String() })

const SignedOut = Type.Object({ signOutUrl: Type.String() })

const Session = Type.Object({
  accessToken: Type.String({ description: 'A JWT, for the header `Authorization: Bearer …`.' }),
  expiresIn: Type.Integer({ description: 'Seconds.' }),
  user: Type.Object({ id: Type.String(), slug: Type.String(), email: Type.String(), name: Type.String() }),
  mustAddPasskey: Type.Boolean({
    description: 'This service requires a passkey: until you have one, you can do nothing else but add it.',
  }),
})

const PasskeyNeeded = Type.Object(
  {
    passkey: Type.Object(
      {
        challenge: Type.String(),
        rpId: Type.String(),
        timeout: Type.Integer({ description: 'Milliseconds.' }),
        userVerification: Type.Literal('preferred'),
        allowCredentials: Type.Array(
          Type.Object({
            id: Type.String(),
            type: Type.Literal('public-key'),
            transports: Type.Array(Type.String()),
          }),
        ),
      },
      { description: 'What `navigator.credentials.get` needs, with bytes in base64url.' },
    ),
  },
  { description: 'The link is used up. Go on with a passkey or a recovery code, in this browser.' },
)

const SignedPasskey = Type.Object(
  {
    credentialId: Type.String({ maxLength: 2000 }),
    clientDataJSON: Type.String({ maxLength: 10_000 }),
    authenticatorData: Type.String({ maxLength: 10_000 }),
    signature: Type.String({ maxLength: 10_000 }),
  },
  { description: 'What `navigator.credentials.get` returned. Bytes are in base64url.' },
)

const RecoveryCode = Type.Object({ code: Type.String({ maxLength: 100 }) })

interface Limits {
  readonly perClientAndEmail: RateLimit
  /** For all clients together: beyond it no link is mailed, but those that were mailed still work. */
  readonly mailsPerEmail: RateLimit
  readonly guessesPerUser: RateLimit
}

/** Signing in with an emailed link. A GET never signs anyone in, because mail scanners open links. */
export const authRoutes: FastifyPluginAsyncTypebox<{ context: Context; rateLimits: RateLimits }> = async (
  app,
  { context, rateLimits },
) => {
  const perClient = rateLimits('login', 20, 60)
  const verifyPerClient = rateLimits('verify', 30, 60)
  const limits: Limits = {
    perClientAndEmail: rateLimits('login-email', 5, 15 * 60),
    mailsPerEmail: rateLimits('login-mails', 20, 15 * 60),
    guessesPerUser: rateLimits('recovery-codes', 20, 60 * 60),
  }
  app.setSchemaErrorFormatter(describeInvalidToHosts)

  app.post(
    '/login',
    { schema: SEND_LINK, onRequest: (request, reply) => countRequest(perClient, request, reply) },
    (request, reply) => sendLink(context, limits, request, reply),
  )
  app.post(
    '/verify',
    { schema: SIGN_IN, onRequest: (request, reply) => countRequest(verifyPerClient, request, reply) },
    (request, reply) => signIn(context, request, reply),
  )
  app.post(
    '/passkey',
    {
      schema: GO_ON_WITH_PASSKEY,
      onRequest: (request, reply) => countRequest(verifyPerClient, request, reply),
    },
    (request, reply) => goOnWithPasskey(context, request, reply),
  )
  app.post(
    '/passkey/recovery',
    {
      schema: GO_ON_WITH_RECOVERY_CODE,
      onRequest: (request, reply) => countRequest(verifyPerClient, request, reply),
    },
    (request, reply) => goOnWithRecoveryCode(context, limits, request, reply),
  )
  app.post('/refresh', { schema: REFRESH }, (request, reply) => refresh(context, request, reply))
  app.post('/logout', { schema: END_SESSION }, (request, reply) => endSession(context, request, reply))
  app.post('/logout-everywhere', { schema: END_ALL_SESSIONS }, (request, reply) =>
    endAllSessions(context, request, reply),
  )
}

const tags = ['Sign-in']

const SEND_LINK = {
  operationId: 'requestSignInLink',
  summary: 'Request a sign-in link by email',
  tags,
  body: Login,
  response: { 202: Accepted, ...problems(400, 403, 429, 503) },
}

async function sendLink(
  context: Context,
  limits: Limits,
  request: RequestOf<typeof SEND_LINK>,
  reply: ReplyOf<typeof SEND_LINK>,
) {
  const { email } = request.body
  // Not by the address alone: strangers could lock its owner out.
  const key = `${clientKey(clientAddress(request))} ${mailboxHash(email)}`
  await countRequest(limits.perClientAndEmail, request, reply, { key })
  const { allowed } = await limits.mailsPerEmail(mailboxHash(email))
  const { tag: locale } = chooseLocale(undefined, request.headers['accept-language'], 'en')
  await requestLink(context, email, { mayMail: allowed, locale })
  // The same answer for everyone, so that it does not reveal who has an account.
  const message = 'If this address may sign in, a link is on its way to it. It works for 15 minutes.'
  return reply.code(202).send({ message })
}

const SIGN_IN = {
  operationId: 'signIn',
  summary: 'Sign in with the token from a link',
  description: 'Answers 202 if the account has passkeys: one of them must follow within 10 minutes.',
  tags,
  body: Verify,
  response: { 200: Session, 202: PasskeyNeeded, ...problems(400, 403, 429, 503) },
}

async function signIn(context: Context, request: RequestOf<typeof SIGN_IN>, reply: ReplyOf<typeof SIGN_IN>) {
  // Otherwise another site could sign a visitor in as someone else.
  requireSameOrigin(request, context.publicUrl)
  const outcome = await verifyLink(context, request.body.token, signingInWith(request))
  return 'options' in outcome ? askForPasskey(context, reply, outcome) : answer(context, reply, outcome)
}

const GO_ON_WITH_PASSKEY = {
  operationId: 'signInWithPasskey',
  summary: 'Go on with a passkey, after the link',
  tags,
  body: SignedPasskey,
  response: { 200: Session, ...problems(400, 403, 429, 503) },
}

async function goOnWithPasskey(
  context: Context,
  request: RequestOf<typeof GO_ON_WITH_PASSKEY>,
  reply: ReplyOf<typeof GO_ON_WITH_PASSKEY>,
) {
  requireSameOrigin(request, context.publicUrl)
  const secret = cookieOf(request, PASSKEY_COOKIE.name)
  try {
    const signed = { ...request.body, ...signingInWith(request) }
    return answerPasskey(context, reply, await signInWithPasskey(context, secret, signed))
  } catch (error) {
    // A counter that goes back means that someone has copied the key.
    if (error instanceof Problem && error.cause instanceof Error) {
      request.log.warn({ reason: error.cause.message }, 'a passkey was refused')
    }
    throw error
  }
}

const GO_ON_WITH_RECOVERY_CODE = {
  operationId: 'signInWithRecoveryCode',
  summary: 'Go on with a recovery code, after the link',
  description: 'Each code works once. The user is told by email.',
  tags,
  body: RecoveryCode,
  response: { 200: Session, ...problems(400, 403, 429, 503) },
}

async function goOnWithRecoveryCode(
  context: Context,
  limits: Limits,
  request: RequestOf<typeof GO_ON_WITH_RECOVERY_CODE>,
  reply: ReplyOf<typeof GO_ON_WITH_RECOVERY_CODE>,
) {
  requireSameOrigin(request, context.publicUrl)
  const secret = cookieOf(request, PASSKEY_COOKIE.name)
  // By user: someone who reads their mail can begin as many sign-ins as they like.
  const countGuess = (userId: string) => countRequest(limits.guessesPerUser, request, reply, { key: userId })
  const given = { ...request.body, ...signingInWith(request) }
  return answerPasskey(context, reply, await signInWithRecoveryCode(context, secret, given, countGuess))
}

const REFRESH = {
  operationId: 'refreshSession',
  summary: 'Get a new access token with the refresh cookie',
  tags,
  response: { 200: Session, ...problems(401, 403) },
}

async function refresh(context: Context, request: RequestOf<typeof REFRESH>, reply: ReplyOf<typeof REFRESH>) {
  requireSameOrigin(request, context.publicUrl)
  try {
    const { userAgent } = signingInWith(request)
    return answer(context, reply, await refreshSession(context, refreshCookieOf(request), userAgent))
  } catch (error) {
    // A short outage of the database must not sign anyone out.
    if (error instanceof Problem && error.code === 'unauthenticated') forgetRefreshCookie(reply, context)
    throw error
  }
}

const END_SESSION = {
  operationId: 'signOut',
  summary: 'Sign out',
  description:
    'After single sign-on, the answer says where the browser can end the session of the identity provider.',
  tags,
  response: { 200: SignedOut, 204: Type.Null(), ...problems(403) },
}

async function endSession(
  context: Context,
  request: RequestOf<typeof END_SESSION>,
  reply: ReplyOf<typeof END_SESSION>,
) {
  requireSameOrigin(request, context.publicUrl)
  const session = await signOut(context, refreshCookieOf(request))
  forgetRefreshCookie(reply, context)
  const elsewhere = session && (await signOutUrl(context, session))
  if (elsewhere !== undefined) return reply.code(200).send({ signOutUrl: elsewhere })
  return reply.code(204).send(null)
}

const END_ALL_SESSIONS = {
  operationId: 'signOutEverywhere',
  summary: 'Sign out on every device',
  tags,
  security: [{ bearer: [] }],
  response: { 204: Type.Null(), ...problems(401, 403) },
}

async function endAllSessions(
  context: Context,
  request: RequestOf<typeof END_ALL_SESSIONS>,
  reply: ReplyOf<typeof END_ALL_SESSIONS>,
) {
  const principal = await authenticate(context, bearerOf(request), { beforePasskey: true })
  await signOutEverywhere(context, principal)
  forgetRefreshCookie(reply, context)
  return reply.code(204).send(null)
}

function askForPasskey(context: Context, reply: FastifyReply, { options, secret }: PasskeyStep) {
  setReturnCookie(reply, context.publicUrl, PASSKEY_COOKIE, { secret, seconds: CHALLENGE_LASTS / 1000 })
  reply.header('cache-control', 'no-store').code(202)
  const allowCredentials = options.allowCredentials.map((handle) => ({
    ...handle,
    transports: [...handle.transports],
  }))
  return { passkey: { ...options, allowCredentials } }
}

function answerPasskey(context: Context, reply: FastifyReply, signedIn: SignedIn): Static<typeof Session> {
  const session = answer(context, reply, signedIn)
  setReturnCookie(reply, context.publicUrl, PASSKEY_COOKIE, { secret: '', seconds: 0 })
  return session
}

function answer(context: Context, reply: FastifyReply, signedIn: SignedIn): Static<typeof Session> {
  const { accessToken, user, mustAddPasskey } = signedIn
  setRefreshCookie(reply, context, signedIn)
  reply.header('cache-control', 'no-store')
  const { id, slug, email, name } = user
  return { accessToken, expiresIn: ACCESS_TOKEN_LASTS, user: { id, slug, email, name }, mustAddPasskey }
}

/** Throws `forbidden` for requests from another site, which must not use our cookie. */
function requireSameOrigin(request: FastifyRequest, publicUrl: string): void {
  const site = request.headers['sec-fetch-site']
  const { origin } = request.headers
  const foreign =
    (site !== undefined && site !== 'same-origin' && site !== 'none') ||
    // Behind a proxy, the Host header may be a name that no browser uses.
    (origin !== undefined && origin !== new URL(publicUrl).origin && URL.parse(origin)?.host !== request.host)
  if (foreign)
    throw new Problem('forbidden', sentence`This can only be asked for by the service’s own pages.`)
}
