import { Problem } from '../domain/problem.ts'
import { english, say } from '../domain/sentence.ts'
import { stripeProvider } from '../outside/payments/stripe/stripe.ts'
import type { Finding } from '../services/workspace/checks/check-surroundings.ts'
import { examine } from '../services/workspace/checks/examine.ts'
import { providersOf, smsServiceOf, surroundingsOf } from '../start.ts'
import { type Command, type Given, UsageError } from './command.ts'

/** Whether the service can work with these settings, here and now. */
export const doctorCommands: readonly Command[] = [
  {
    name: 'doctor',
    about:
      'Checks settings, database, mail, disk, the public address, calendar providers, single sign-on, passkeys, text messages and payments, and says how to fix problems. Changes nothing. Exit code 1 if something is broken; warnings alone exit with 0.',
    options: {
      instances: { value: 'N', about: 'How many instances share the database; 1 unless said.' },
    },
    run: async (given, { settings, print }) => {
      const asked = {
        providers: providersOf(settings),
        sms: smsServiceOf(settings),
        payments: stripeProvider({ apiUrl: settings.stripeApiUrl }),
      }
      const findings = await examine(surroundingsOf(settings), asked, readInstances(given))
      for (const finding of findings) for (const line of toLines(finding)) print(line)
      const broken = findings.filter(({ state }) => state === 'broken').length
      if (broken > 0)
        throw new Problem(
          'unavailable',
          broken === 1 ? english`1 check failed.` : english`${broken} checks failed.`,
        )
    },
  },
]

function readInstances(given: Given): number {
  const text = given.find('instances') ?? '1'
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new UsageError('--instances must be a whole number from 1 to 9999')
  return Number(text)
}

const SIGNS = { ok: 'ok      ', warning: 'warning ', broken: 'BROKEN  ' } as const

function toLines({ what, state, says, advice }: Finding): string[] {
  const first = `${SIGNS[state]}${say(what).padEnd(12)} ${say(says)}`
  return advice === undefined ? [first] : [first, `${' '.repeat(21)}→ ${say(advice)}`]
}
