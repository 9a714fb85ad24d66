import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { formatInstant } from '../../../domain/instant.ts'
import type { Passkey } from '../../../domain/people/passkey.ts'
import { Type } from '../../../format/type.ts'
import type { Context } from '../../../services/context.ts'
import {
  addPasskey,
  beginPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
  replaceCodes,
  resetPasskeysOfPerson,
} from '../../../services/people/sign-in/passkeys.ts'
import { problems } from '../../problems.ts'
import type { ReplyOf, RequestOf } from '../../typed-route.ts'
import { principalOf } from '../principal.ts'
import { IdPath } from '../request.ts'
import {
  AddedPasskeyView,
  AddPasskey,
  ChangePasskey,
  PasskeyCreationView,
  PasskeysView,
  PasskeyView,
  RecoveryCodesView,
} from './schemas.ts'

/** Routes that a session may use while it must still add a passkey, besides seeing whose it is. */
export const BEFORE_PASSKEY: ReadonlySet<string> = new Set([
  'GET /api/admin/me',
  'GET /api/admin/me/passkeys',
  'POST /api/admin/me/passkeys/options',
  'POST /api/admin/me/passkeys',
])

/** The second factor of the emailed link. */
export const passkeyRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.get('/me/passkeys', { schema: LIST }, (request) => list(context, request))
  app.post('/me/passkeys/options', { schema: BEGIN }, (request) => begin(context, request))
  app.post('/me/passkeys', { schema: ADD }, (request, reply) => add(context, request, reply))
  app.patch('/me/passkeys/:id', { schema: RENAME }, (request) => rename(context, request))
  app.delete('/me/passkeys/:id', { schema: REMOVE }, (request, reply) => remove(context, request, reply))
  app.post('/me/recovery-codes', { schema: REPLACE_RECOVERY_CODES }, (request, reply) =>
    replaceRecoveryCodes(context, request, reply),
  )
  app.delete('/people/:id/passkeys', { schema: RESET }, (request, reply) => reset(context, request, reply))
}

const tags = ['Passkeys']

const LIST = {
  operationId: 'listPasskeys',
  summary: 'Your passkeys, and how many recovery codes are left',
  description: 'Not for API tokens, like all of this.',
  tags,
  response: { 200: PasskeysView, ...problems(401, 403) },
}

async function list(context: Context, request: RequestOf<typeof LIST>) {
  const { passkeys, ...rest } = await listPasskeys(context, principalOf(request))
  return { items: passkeys.map(toView), ...rest }
}

const BEGIN = {
  operationId: 'beginPasskey',
  summary: 'Begin to add a passkey',
  description:
    'Answers what `navigator.credentials.create` needs, for 10 minutes. You must have signed in within the last 30 minutes.',
  tags,
  response: { 200: PasskeyCreationView, ...problems(400, 401, 403, 409) },
}

async function begin(context: Context, request: RequestOf<typeof BEGIN>) {
  const { pubKeyCredParams, excludeCredentials, ...rest } = await beginPasskey(context, principalOf(request))
  return {
    ...rest,
    pubKeyCredParams: [...pubKeyCredParams],
    excludeCredentials: excludeCredentials.map((handle) => ({
      ...handle,
      transports: [...handle.transports],
    })),
  }
}

const ADD = {
  operationId: 'addPasskey',
  summary: 'Add the passkey that the browser has made',
  description:
    'The first one comes with recovery codes, which are shown only once, and ends all your other sessions.',
  tags,
  body: AddPasskey,
  response: { 201: AddedPasskeyView, ...problems(400, 401, 403, 409) },
}

async function add(context: Context, request: RequestOf<typeof ADD>, reply: ReplyOf<typeof ADD>) {
  const { passkey, recoveryCodes } = await addPasskey(context, principalOf(request), request.body)
  return reply.code(201).send({ ...toView(passkey), recoveryCodes: [...recoveryCodes] })
}

const RENAME = {
  operationId: 'renamePasskey',
  summary: 'Rename a passkey',
  tags,
  params: IdPath,
  body: ChangePasskey,
  response: { 200: PasskeyView, ...problems(400, 401, 403, 404) },
}

async function rename(context: Context, request: RequestOf<typeof RENAME>) {
  return toView(await renamePasskey(context, principalOf(request), request.params.id, request.body.name))
}

const REMOVE = {
  operationId: 'removePasskey',
  summary: 'Remove a passkey',
  description:
    'With the last one, your recovery codes end as well. Where passkeys are required, the last one stays. You must have signed in within the last 30 minutes.',
  tags,
  params: IdPath,
  response: { 204: Type.Null(), ...problems(401, 403, 404, 409) },
}

async function remove(context: Context, request: RequestOf<typeof REMOVE>, reply: ReplyOf<typeof REMOVE>) {
  await removePasskey(context, principalOf(request), request.params.id)
  return reply.code(204).send(null)
}

const REPLACE_RECOVERY_CODES = {
  operationId: 'replaceRecoveryCodes',
  summary: 'Replace your recovery codes',
  description: 'Those from before stop working. You must have signed in within the last 30 minutes.',
  tags,
  response: { 201: RecoveryCodesView, ...problems(401, 403, 409) },
}

async function replaceRecoveryCodes(
  context: Context,
  request: RequestOf<typeof REPLACE_RECOVERY_CODES>,
  reply: ReplyOf<typeof REPLACE_RECOVERY_CODES>,
) {
  const recoveryCodes = [...(await replaceCodes(context, principalOf(request)))]
  return reply.code(201).send({ recoveryCodes })
}

const RESET = {
  operationId: 'resetPasskeys',
  summary: 'Remove all passkeys and recovery codes of a person who has lost them',
  description:
    'Their sessions end. The emailed link alone signs them in, until they add a passkey. For admins of the instance, and not for API tokens.',
  tags: ['Instance'],
  params: IdPath,
  response: { 204: Type.Null(), ...problems(400, 401, 403, 404) },
}

async function reset(context: Context, request: RequestOf<typeof RESET>, reply: ReplyOf<typeof RESET>) {
  await resetPasskeysOfPerson(context, principalOf(request), request.params.id)
  return reply.code(204).send(null)
}

function toView({ id, name, createdAt, lastUsedAt }: Passkey): PasskeyView {
  return {
    id,
    name,
    createdAt: formatInstant(createdAt),
    lastUsedAt: lastUsedAt === null ? null : formatInstant(lastUsedAt),
  }
}
