import { sentence, verbatim } from '../../../domain/sentence.ts'
import { SmsRefused } from '../../../outside/sms/sms.ts'
import type { SmsService } from '../../context.ts'
import { type Finding, reasonOf } from './check-surroundings.ts'

/** Does the provider of text messages know our key? Nobody is texted. */
export async function checkSms(sms: SmsService | undefined): Promise<Finding[]> {
  if (sms === undefined) return []
  const what = verbatim('SMS')
  try {
    await sms.sender.check()
    return [{ what, state: 'ok', says: sentence`the provider answers; allowed are ${sms.countries}` }]
  } catch (error) {
    const advice = sentence`Check the settings of SMS_PROVIDER, and that this machine can reach it.`
    const says = error instanceof SmsRefused ? error.sentence : verbatim(reasonOf(error))
    return [{ what, state: 'broken', says, advice }]
  }
}
