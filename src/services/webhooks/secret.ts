import { findPlainSecrets, updateSecrets } from '../../store/webhooks/webhooks.ts'
import type { Context } from '../context.ts'
import { seal, unseal } from '../seal.ts'

const SEALED = 'sealed:'

/** A webhook's secret as it is stored. */
export const sealSecret = (context: Pick<Context, 'jwtSecret'>, webhookId: string, secret: string) =>
  `${SEALED}${seal(context, webhookId, secret)}`

/** The secret that signs; undefined if the service's own secret has changed. Earlier versions stored it as it is. */
export function openSecret(
  context: Pick<Context, 'jwtSecret' | 'previousJwtSecret'>,
  webhookId: string,
  stored: string,
): string | undefined {
  return stored.startsWith(SEALED) ? unseal(context, webhookId, stored.slice(SEALED.length)) : stored
}

/** Seals the secrets that an earlier version stored as they are. */
export async function sealPlainSecrets(context: Pick<Context, 'db' | 'jwtSecret'>): Promise<void> {
  for (const webhook of await findPlainSecrets(context.db, SEALED)) {
    const sealed = (stored: string) =>
      stored.startsWith(SEALED) ? stored : sealSecret(context, webhook.id, stored)
    await updateSecrets(context.db, webhook, {
      secret: sealed(webhook.secret),
      previousSecret: webhook.previousSecret === null ? null : sealed(webhook.previousSecret),
    })
  }
}
