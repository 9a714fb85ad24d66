import type { Context } from '../../context.ts'
import type { Surroundings } from '../../surroundings.ts'
import { checkDatabase } from './check-database.ts'
import { checkPayments } from './check-payments.ts'
import { checkProviders } from './check-providers.ts'
import { checkPasskeys, checkSingleSignOn } from './check-sign-on.ts'
import { checkSms } from './check-sms.ts'
import { checkFolders, checkMail, checkMode, checkPublicUrl, type Finding } from './check-surroundings.ts'

/** Whether the service can work with these settings, here and now. Asks other servers, and changes nothing. */
export async function examine(
  surroundings: Surroundings,
  { providers, sms, payments }: Pick<Context, 'providers' | 'sms' | 'payments'>,
  instances: number,
): Promise<Finding[]> {
  // In parallel: each may time out.
  const findings = await Promise.all([
    checkMode(surroundings),
    checkDatabase(surroundings, instances),
    checkFolders(surroundings),
    checkMail(surroundings),
    checkPublicUrl(surroundings),
    checkProviders(surroundings, providers),
    checkSingleSignOn(surroundings),
    checkPasskeys(surroundings),
    checkSms(sms),
    checkPayments(surroundings, payments),
  ])
  return findings.flat()
}
