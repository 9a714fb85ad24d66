import { findSealedPasswords, updateSealedPassword } from '../../store/calendars/calendars.ts'
import { findSealedTokens, updateSealedTokens } from '../../store/calendars/connections.ts'
import { findAllPaymentAccounts, resealPaymentAccount } from '../../store/payments/accounts.ts'
import { findSecret, replaceSecret } from '../../store/secrets.ts'
import { findAllWebhooks, updateSecrets } from '../../store/webhooks/webhooks.ts'
import type { Context } from '../context.ts'
import { hookPurpose, keyPurpose } from '../payments/accounts.ts'
import { PUSH_KEYS } from '../push/keys.ts'
import { seal, unseal } from '../seal.ts'
import { openSecret, sealSecret } from '../webhooks/secret.ts'

/** How many sealed texts there are: sealed with the present key now, or unreadable with either key. */
interface Resealed {
  readonly sealed: number
  readonly unreadable: number
}

/** Seals everything with the present key that may still be sealed with the previous one. */
export async function reseal(context: Context): Promise<Resealed> {
  const { db } = context
  let [sealed, unreadable] = [0, 0]
  /** Unreadable texts stay as they are: the right key may still turn up. */
  const again = (stored: string, open: () => string | undefined, close: (text: string) => string): string => {
    const text = open()
    if (text === undefined) unreadable++
    else sealed++
    return text === undefined ? stored : close(text)
  }
  for (const { id, sealedPassword } of await findSealedPasswords(db)) {
    const after = again(
      sealedPassword,
      () => unseal(context, id, sealedPassword),
      (text) => seal(context, id, text),
    )
    await updateSealedPassword(db, id, sealedPassword, after)
  }
  for (const { id, sealedTokens } of await findSealedTokens(db)) {
    const after = again(
      sealedTokens,
      () => unseal(context, id, sealedTokens),
      (text) => seal(context, id, text),
    )
    await updateSealedTokens(db, id, sealedTokens, after)
  }
  for (const account of await findAllPaymentAccounts(db)) {
    const anew = (purpose: string, stored: string) =>
      again(
        stored,
        () => unseal(context, purpose, stored),
        (text) => seal(context, purpose, text),
      )
    await resealPaymentAccount(db, account, {
      sealedKey: anew(keyPurpose(account.id), account.sealedKey),
      sealedHookSecret: anew(hookPurpose(account.id), account.sealedHookSecret),
    })
  }
  const keys = await findSecret(db, PUSH_KEYS)
  if (keys !== undefined) {
    const after = again(
      keys,
      () => unseal(context, PUSH_KEYS, keys),
      (text) => seal(context, PUSH_KEYS, text),
    )
    await replaceSecret(db, PUSH_KEYS, keys, after)
  }
  for (const webhook of await findAllWebhooks(db)) {
    const anew = (stored: string) =>
      again(
        stored,
        () => openSecret(context, webhook.id, stored),
        (text) => sealSecret(context, webhook.id, text),
      )
    await updateSecrets(db, webhook, {
      secret: anew(webhook.secret),
      previousSecret: webhook.previousSecret === null ? null : anew(webhook.previousSecret),
    })
  }
  return { sealed, unreadable }
}
