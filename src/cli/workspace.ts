import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { writePrivateFile } from '../outside/private-file.ts'
import { exportWorkspace } from '../services/workspace/export.ts'
import { importWorkspace } from '../services/workspace/import.ts'
import { type Command, UsageError } from './command.ts'
import { COMMAND_LINE, withService } from './open.ts'

/** Commands that carry users and teams from one instance to another. */
export const workspaceCommands: readonly Command[] = [
  {
    name: 'export',
    about:
      'Writes users and teams as JSON: pages, schedules, event types, routing forms, blocklists, absences and members. Members of a team come along with their pages and hours; name them with --user for everything they have.',
    options: {
      user: { value: 'SLUG', about: 'A user, with everything they have made.', multiple: true },
      team: { value: 'SLUG', about: 'A team, likewise.', multiple: true },
      'with-bookings': { about: 'With the bookings of their event types, at most 100,000.' },
    },
    operand: { name: 'FILE', about: 'Where to; - is the standard output.' },
    run: (given, { settings, print }) => {
      const [users, teams] = [given.list('user'), given.list('team')]
      if (users.length + teams.length === 0) throw new UsageError('--user or --team is missing')
      return withService(settings, async ({ db, now }) => {
        const wish = { users, teams, withBookings: given.has('with-bookings') }
        const json = JSON.stringify(await exportWorkspace(db, wish, now()), null, 2)
        if (given.operand === '-') print(json)
        else await writePrivateFile(given.operand, [`${json}\n`])
      })
    },
  },
  {
    name: 'import',
    about:
      'Adds what `export` has written, all of it or nothing, and prints a line for each user and team. Users who are here already, by their e-mail address, keep their page and get the rest added.',
    options: {
      rename: { about: 'Give slugs that are taken here a number, instead of refusing the import.' },
    },
    operand: { name: 'FILE', about: 'What `export` has written; - is the standard input.' },
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
