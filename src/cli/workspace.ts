import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { writePrivateFile } from '../outside/private-file.ts'
import { exportWorkspace } from '../services/workspace/document/export.ts'
import { importWorkspace } from '../services/workspace/document/import.ts'
import { type Command, UsageError } from './command.ts'
import { COMMAND_LINE, withService } from './open.ts'

/** Commands that move users and teams from one instance to another. */
export const workspaceCommands: readonly Command[] = [
  {
    name: 'export',
    about:
      'Writes users and teams as JSON: pages, schedules, event types, routing forms, blocklists, time off and members. Team members are included with their pages and schedules only; add --user for everything of theirs.',
    options: {
      user: { value: 'SLUG', about: 'A user, with everything of theirs.', multiple: true },
      team: { value: 'SLUG', about: 'A team, with everything of theirs.', multiple: true },
      'with-bookings': { about: 'Include the bookings of their event types, at most 100,000.' },
    },
    operand: { name: 'FILE', about: 'The file to write; - means standard output.' },
    run: (given, { settings, print }) => {
      const [users, teams] = [given.list('user'), given.list('team')]
      if (users.length + teams.length === 0) throw new UsageError('--user or --team is missing')
      return withService(settings, async ({ db, now }) => {
        const selection = { users, teams, withBookings: given.has('with-bookings') }
        const json = JSON.stringify(await exportWorkspace(db, selection, now()), null, 2)
        if (given.operand === '-') print(json)
        else await writePrivateFile(given.operand, [`${json}\n`])
      })
    },
  },
  {
    name: 'import',
    about:
      'Adds what `export` has written, all or nothing, and prints one line for each user and team. Users who already exist (by email address) keep their page; the rest is added.',
    options: {
      rename: { about: 'Add a number to slugs that are taken, instead of refusing the import.' },
    },
    operand: { name: 'FILE', about: 'A file that `export` has written; - means standard input.' },
    run: async (given, { settings, print }) => {
      const file = given.operand === '-' ? await text(process.stdin) : await readFile(given.operand, 'utf8')
      await withService(settings, async (context) => {
        const options = { rename: given.has('rename') }
        for (const { id, kind, slug } of await importWorkspace(context, COMMAND_LINE, file, options)) {
          print([id, kind, slug].join('\t'))
        }
      })
    },
  },
]
