import { parseInstant } from '../domain/instant.ts'
import { Problem } from '../domain/problem.ts'
import { english } from '../domain/sentence.ts'
import { issuePrivateLink } from '../services/bookings/links/private-links.ts'
import { findEventType } from '../store/event-types/event-types.ts'
import { findSchedulerBySlug } from '../store/people/schedulers.ts'
import { type Command, UsageError } from './command.ts'
import { COMMAND_LINE, withService } from './open.ts'

/** Commands for private links. */
export const linkCommands: readonly Command[] = [
  {
    name: 'link create',
    about:
      'Makes a private link to an event type and prints it. It works once unless you say otherwise, and is not shown again.',
    options: {
      uses: { value: 'N', about: 'How many bookings it is good for, or “unlimited”. Default: 1.' },
      expires: { value: 'TIME', about: 'When it ends, such as 2030-01-31T09:30:00Z. Default: never.' },
      minutes: { value: 'N', about: 'The length of the meeting. Default: the event type’s.' },
      note: { value: 'TEXT', about: 'What it is for. Guests never see it.' },
    },
    operand: { name: 'USER/EVENT', about: 'The event type as in its address, such as demo/intro.' },
    run: (given, { settings, print }) => {
      const uses = given.find('uses') ?? '1'
      const minutes = given.find('minutes')
      const expires = given.find('expires')
      const expiresAt = expires === undefined ? null : parseInstant(expires)
      if (expiresAt === undefined) {
        throw new UsageError('--expires must be a UTC instant such as 2030-01-31T09:30:00Z')
      }
      const input = {
        uses: uses === 'unlimited' ? null : readWhole('uses', uses),
        durationMinutes: minutes === undefined ? null : readWhole('minutes', minutes),
        expiresAt,
        note: given.find('note') ?? '',
      }
      return withService(settings, async (context) => {
        const [userSlug = '', eventSlug = ''] = given.operand.split('/')
        const scheduler = await findSchedulerBySlug(context.db, userSlug)
        const eventType = scheduler && (await findEventType(context.db, scheduler.id, eventSlug))
        if (eventType === undefined) {
          throw new Problem('not_found', english`There is no event type “${given.operand}”.`)
        }
        print((await issuePrivateLink(context, COMMAND_LINE, eventType, input)).url)
      })
    },
  },
]

function readWhole(option: string, text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new UsageError(`--${option} must be a whole number`)
  return Number(text)
}
