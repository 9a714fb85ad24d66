import { Problem } from '../domain/problem.ts'
import { english } from '../domain/sentence.ts'
import { readGzip, writePrivateFile } from '../outside/private-file.ts'
import { recordAudit } from '../services/change.ts'
import type { Context } from '../services/context.ts'
import { backup } from '../services/workspace/backup/backup.ts'
import { restore } from '../services/workspace/backup/restore.ts'
import { seedDemo } from '../services/workspace/demo/seed-demo.ts'
import { reseal } from '../services/workspace/reseal.ts'
import { reserveStore } from '../start.ts'
import { migrate } from '../store/engine/migrate.ts'
import { findSchedulerBySlug } from '../store/people/schedulers.ts'
import type { Command } from './command.ts'
import { COMMAND_LINE, withService, withStore } from './open.ts'

/** Commands for the whole database. */
export const storageCommands: readonly Command[] = [
  {
    name: 'migrate',
    about: 'Migrates the database to the newest schema. The server also does this at every start.',
    options: {},
    run: (_, { settings }) => withStore(settings, migrate),
  },
  {
    name: 'seed',
    about: 'Fills an empty database with the demo workspace.',
    options: {},
    run: (_, { settings }) => withService(settings, seed),
  },
  {
    name: 'secret rotate',
    about:
      'Encrypts calendar passwords and webhook secrets with JWT_SECRET that are still encrypted with JWT_SECRET_PREVIOUS. Prints how many there are.',
    options: {},
    run: (_, { settings, print }) =>
      withService(settings, async (context) => {
        const { sealed, unreadable } = await reseal(context)
        print(`${sealed} encrypted with the present secret, ${unreadable} unreadable`)
        if (unreadable > 0) {
          throw new Problem(
            'invalid',
            english`Some were encrypted with another secret. Set JWT_SECRET_PREVIOUS to it and try again; otherwise their owners have to enter them again.`,
          )
        }
      }),
  },
  {
    name: 'backup',
    about:
      'Writes a consistent snapshot of the database into one file; the server can keep running. It holds personal data and the signing secret, so protect it like the database.',
    options: {},
    operand: {
      name: 'FILE',
      about:
        'The file to write, such as backup.jsonl.gz. An existing file is replaced once the new one is complete.',
    },
    run: ({ operand }, { settings }) =>
      withStore(settings, async (db) => {
        const interruption = new AbortController()
        const interrupt = () => interruption.abort()
        process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
        await writePrivateFile(operand, backup(db, Date.now()), { gzip: true, signal: interruption.signal })
      }),
  },
  {
    name: 'restore',
    about:
      'Fills an empty database with a backup, all or nothing. Backups of SQLite can be restored into PostgreSQL and vice versa. Stop the server first.',
    options: {},
    operand: { name: 'FILE', about: 'A file that `backup` has written.' },
    run: async ({ operand }, { settings, print }) => {
      const releaseStore = reserveStore(settings)
      try {
        await withStore(settings, async (db) => print(String(await restore(db, readGzip(operand)))))
      } finally {
        releaseStore()
      }
    },
  },
]

async function seed({ db, now }: Context): Promise<void> {
  if (!(await seedDemo(db, now()))) {
    throw new Problem('in_use', english`The database is not empty. The demo workspace needs an empty one.`)
  }
  const { id = '' } = (await findSchedulerBySlug(db, 'demo')) ?? {}
  const audit = { schedulerId: id, objectType: 'user', objectId: id, action: 'created', changes: [] }
  await recordAudit(db, COMMAND_LINE, now(), audit)
}
