import { CAPTCHA_PROVIDERS, type CaptchaProvider, type EventType } from '../domain/event-types/event-type.ts'
import { lacksKeys } from '../domain/event-types/lacks.ts'
import { invalidField, Problem } from '../domain/problem.ts'
import { sentence } from '../domain/sentence.ts'
import { createAltchaChallenge, verifyAltcha } from '../outside/captcha/altcha.ts'
import { verifyCaptcha } from '../outside/captcha/captcha.ts'
import { insertUsedSolution } from '../store/bookings/guests/used-solutions.ts'
import type { Context } from './context.ts'

const CHALLENGE_LASTS = 20 * 60_000

/** What a CAPTCHA can protect. */
interface Protected {
  readonly id: string
  readonly abuse: Pick<EventType['abuse'], 'captcha'>
  /** Sites that may have the challenge on their own pages, beside ours. */
  readonly allowedOrigins: readonly string[]
}

/** A fresh ALTCHA challenge for this event type or form. */
export function createChallenge(context: Context, { id, abuse }: Omit<Protected, 'allowedOrigins'>) {
  if (abuse.captcha !== 'altcha') {
    throw new Problem('not_found', sentence`There is no ALTCHA challenge here.`)
  }
  const { altchaSecret, altchaTries } = context.captcha
  const expiresAt = context.now() + CHALLENGE_LASTS
  return createAltchaChallenge(altchaSecret, id, expiresAt, altchaTries)
}

/** The CAPTCHAs that guests can solve here. */
export const workingCaptchas = (context: Context): CaptchaProvider[] =>
  CAPTCHA_PROVIDERS.filter(hasCaptchaKeys(context))

/** Whether a CAPTCHA can be shown here: ALTCHA needs no keys, the others need the operator's. */
export function hasCaptchaKeys({ captcha: { services } }: Context): (captcha: CaptchaProvider) => boolean {
  return (captcha) => captcha === 'altcha' || (services[captcha]?.siteKey ?? '') !== ''
}

/**
 * Throws `invalid` if this is to need a CAPTCHA whose keys the operator has not set: guests would be stuck. What needed it
 * before can be changed otherwise.
 */
export function checkCaptchaKeys(
  context: Context,
  { abuse }: Pick<Protected, 'abuse'>,
  before?: Pick<Protected, 'abuse'>,
): void {
  if (abuse.captcha === before?.abuse.captcha || !lacksKeys(abuse, hasCaptchaKeys(context))) return
  throw invalidField(
    'abuse.captcha',
    sentence`The keys of this CAPTCHA are not set up here, so guests would be stuck. Choose ALTCHA, or ask an admin for the keys.`,
  )
}

/** Throws if this needs a CAPTCHA and this token does not solve it. Each solution works once. */
export async function checkCaptcha(
  context: Context,
  { id, abuse, allowedOrigins }: Protected,
  action: 'book' | 'route',
  { token, clientAddress }: { readonly token: string; readonly clientAddress: string },
): Promise<void> {
  const provider = abuse.captcha
  if (provider === '') return
  if (token === '')
    throw new Problem('captcha_missing', sentence`Please complete the CAPTCHA challenge (captchaToken).`)

  if (provider === 'altcha') {
    const solution = await verifyAltcha(context.captcha.altchaSecret, id, token, context.now())
    const fresh = solution && (await insertUsedSolution(context.db, solution.id, solution.expiresAt))
    if (!fresh) throw failed()
    return
  }

  const service = context.captcha.services[provider]
  if (service === undefined) throw unreachable()
  let passed: boolean
  try {
    const hosts = [context.publicUrl, ...allowedOrigins].map((url) => new URL(url).hostname)
    passed = await verifyCaptcha(service, token, clientAddress, { hosts, action })
  } catch (cause) {
    // Fail closed: a CAPTCHA that cannot be checked counts as failed.
    throw unreachable(cause)
  }
  if (!passed) throw failed()
}

const failed = () =>
  new Problem(
    'captcha_failed',
    sentence`The CAPTCHA was not solved, has expired or was used before. Please try again.`,
  )

const unreachable = (cause?: unknown) =>
  new Problem(
    'captcha_unreachable',
    sentence`The CAPTCHA could not be checked just now. Please try again in a moment.`,
    {
      cause,
    },
  )
