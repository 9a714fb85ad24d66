import { retryDeadJobs } from '../services/retry-jobs.ts'
import { type DeadJob, findDeadJobs } from '../store/outbox.ts'
import { type Command, UsageError } from './command.ts'
import { withService } from './open.ts'

const PAGE = 500

/** Commands about what the worker could not do. */
export const outboxCommands: readonly Command[] = [
  {
    name: 'outbox list',
    about:
      'Lists jobs that were given up, the oldest first: id, kind, when it was given up, tries, and what went wrong.',
    options: { json: { about: 'As lines of JSON, with everything about them.' } },
    run: (given, { settings, print }) =>
      withService(settings, async ({ db }) => {
        let after = 0
        for (;;) {
          const page = await findDeadJobs(db, after, PAGE)
          for (const job of page) print(given.has('json') ? JSON.stringify(toView(job)) : toLine(job))
          if (page.length < PAGE) return
          after = page.at(-1)?.id ?? after
        }
      }),
  },
  {
    name: 'outbox retry',
    about:
      'Lets the worker try a job that was given up as if for the first time, and prints how many there are.',
    options: { all: { about: 'Every one of them.' } },
    operand: { name: 'ID', about: 'Which one, as `outbox list` shows it.', optional: true },
    run: (given, { settings, print }) => {
      if (given.has('all') === (given.operand !== '')) throw new UsageError('Name one ID, or --all')
      const id = given.has('all') ? undefined : readId(given.operand)
      return withService(settings, async (context) => print(String(await retryDeadJobs(context, id))))
    },
  },
]

function readId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new UsageError(`"${text}" is not the id of a job`)
  return Number(text)
}

const toView = ({ failedAt, createdAt, ...job }: DeadJob) => ({
  ...job,
  createdAt: new Date(createdAt).toISOString(),
  failedAt: new Date(failedAt).toISOString(),
})

const toLine = ({ id, kind, failedAt, attempts, error }: DeadJob) =>
  [id, kind, new Date(failedAt).toISOString(), attempts, error.replaceAll(/\s+/g, ' ')].join('\t')
