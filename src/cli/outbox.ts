import { retryDeadJobs, retryJob } from '../services/retry-jobs.ts'
import { type DeadJob, findDeadJobs } from '../store/outbox.ts'
import { type Command, UsageError } from './command.ts'
import { withService } from './open.ts'

const PAGE = 500

/** Commands for jobs that the worker gave up on. */
export const outboxCommands: readonly Command[] = [
  {
    name: 'outbox list',
    about: 'Lists failed jobs, oldest first: id, kind, time of failure, attempts, error.',
    options: { json: { about: 'Print one JSON object per line, with all fields.' } },
    run: (given, { settings, print }) =>
      withService(settings, async ({ db }) => {
        let after = 0
        for (;;) {
          const page = await findDeadJobs(db, { after, limit: PAGE })
          for (const job of page) print(given.has('json') ? JSON.stringify(toView(job)) : toLine(job))
          if (page.length < PAGE) return
          after = page.at(-1)?.id ?? after
        }
      }),
  },
  {
    name: 'outbox retry',
    about: 'Lets the worker retry a failed job, with all its attempts, and prints how many jobs that is.',
    options: { all: { about: 'Retry all failed jobs.' } },
    operand: { name: 'ID', about: 'The id that `outbox list` shows.', optional: true },
    run: (given, { settings, print }) => {
      if (given.has('all') === (given.operand !== '')) throw new UsageError('Give either an ID or --all')
      const id = given.has('all') ? undefined : readId(given.operand)
      return withService(settings, async (context) => {
        print(String(id === undefined ? await retryDeadJobs(context) : await retryJob(context, id)))
      })
    },
  },
]

function readId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new UsageError(`"${text}" is not a job id`)
  return Number(text)
}

const toView = ({ failedAt, createdAt, ...job }: DeadJob) => ({
  ...job,
  createdAt: new Date(createdAt).toISOString(),
  failedAt: new Date(failedAt).toISOString(),
})

const toLine = ({ id, kind, failedAt, attempts, error }: DeadJob) =>
  [id, kind, new Date(failedAt).toISOString(), attempts, error.replaceAll(/\s+/g, ' ')].join('\t')
