import { randomBytes } from 'node:crypto'
import { lookupsIn, type RoutingForm } from '../../domain/forms/routing.ts'
import { formatSecret } from '../../outside/webhooks/signatures.ts'
import type { Trx } from '../../store/engine/database.ts'
import { findLookupSecret, updateLookupSecret } from '../../store/forms/forms.ts'
import type { Context } from '../context.ts'
import { seal, unseal } from '../seal.ts'

const SECRET_BYTES = 32

const purposeOf = (formId: string) => `owner-lookup ${formId}`

/** The secret that signs a form's lookups; undefined if it has none, or one that can't be read. */
export async function readLookupSecret(context: Context, formId: string): Promise<string | undefined> {
  const sealed = await findLookupSecret(context.db, formId)
  return sealed === undefined ? undefined : unseal(context, purposeOf(formId), sealed)
}

/** Gives a form that looks owners up its first secret, and returns it; undefined if it needs none. */
export async function addLookupSecret(
  context: Context,
  trx: Trx,
  form: RoutingForm,
): Promise<string | undefined> {
  if (lookupsIn(form).length === 0 || (await findLookupSecret(trx, form.id)) !== undefined) return undefined
  return setLookupSecret(context, trx, form.id)
}

/** Gives a form a new secret. */
export async function setLookupSecret(context: Context, trx: Trx, formId: string): Promise<string> {
  const secret = formatSecret(randomBytes(SECRET_BYTES))
  await updateLookupSecret(trx, formId, seal(context, purposeOf(formId), secret))
  return secret
}
