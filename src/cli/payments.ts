import { DAY } from '../domain/interval.ts'
import { say } from '../domain/sentence.ts'
import { COMPARED_DAYS, comparePayments } from '../services/payments/compare.ts'
import { type Command, type Given, UsageError } from './command.ts'
import { withService } from './open.ts'

/** Commands about money. */
export const paymentCommands: readonly Command[] = [
  {
    name: 'payments check',
    about:
      'Compares the ledger with what the payment provider says of each connected account, and prints a line for each difference: account, booking, and what differs. Exit code 0 if all is equal, 2 if something differs, 1 if an account could not be compared. The service does the same once a day.',
    options: {
      days: { value: 'N', about: `How many days to look back; ${COMPARED_DAYS} unless said.` },
    },
    usageCode: 1,
    run: async (given, { settings, print, complain }) => {
      const days = readDays(given)
      let code = 0
      await withService(settings, async (context) => {
        const since = context.now() - days * DAY
        for (const compared of await comparePayments(context, { since })) {
          const { account, differences, withoutDisputes, error } = compared
          for (const { bookingId, what } of differences) {
            print([account.account, bookingId ?? '-', say(what)].join('\t'))
          }
          if (withoutDisputes !== undefined) {
            complain(`${account.account}: Disputes were not compared. ${say(withoutDisputes)}`)
          }
          if (error !== undefined) complain(`${account.account}: ${error.message}`)
          code = error !== undefined || code === 1 ? 1 : differences.length > 0 ? 2 : code
        }
      })
      return code
    },
  },
]

function readDays(given: Given): number {
  const text = given.find('days') ?? String(COMPARED_DAYS)
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new UsageError('--days must be a whole number from 1 to 9999')
  return Number(text)
}
