import { ROLES, type Role, SCOPES, type Scope, type User } from '../domain/people/user.ts'
import { issueLink, issueToken } from '../services/people/sign-in/issue-access.ts'
import { resetPasskeys } from '../services/people/sign-in/passkeys.ts'
import { invitationMail } from '../services/people/teams/invitation-mail.ts'
import { invitationLink } from '../services/people/teams/invitations.ts'
import { invite } from '../services/people/teams/invite.ts'
import { addUser, disableUser, enableUser, getUser } from '../services/people/users.ts'
import { endAccount } from '../services/workspace/erasure/delete-person.ts'
import { eraseGuest } from '../services/workspace/erasure/erase.ts'
import { findUsers } from '../store/people/users.ts'
import { type Command, UsageError } from './command.ts'
import { COMMAND_LINE, withService } from './open.ts'

const email = { value: 'ADDRESS', about: 'The user’s email address.', required: true } as const

/** Commands for users, their tokens and sign-in links. */
export const peopleCommands: readonly Command[] = [
  {
    name: 'user create',
    about: 'Adds a user and prints their id. They sign in with a link sent to this address.',
    options: {
      email,
      slug: { value: 'SLUG', about: 'The slug of their booking page. Default: made from the email address.' },
      name: { value: 'NAME', about: 'The name that guests see.' },
      admin: { about: 'Let them invite others to this instance.' },
    },
    run: (given, { settings, print }) =>
      withService(settings, async (context) => {
        const [slug, name] = [given.find('slug'), given.find('name')]
        const user = await addUser(context, COMMAND_LINE, {
          email: given.get('email'),
          admin: given.has('admin'),
          ...(slug !== undefined && { slug }),
          ...(name !== undefined && { name }),
        })
        print(user.id)
      }),
  },
  {
    name: 'user list',
    about: 'Lists users, oldest first: id, email address, slug, and “admin” or “disabled”.',
    options: { json: { about: 'Print JSON.' } },
    run: (given, { settings, print }) =>
      withService(settings, async ({ db }) => {
        const users = await findUsers(db)
        if (given.has('json')) print(JSON.stringify(users.map(toView), null, 2))
        else for (const user of users) print(toLine(user))
      }),
  },
  {
    name: 'user disable',
    about:
      'Disables a user. Their sessions end, their API tokens are revoked and their booking page closes. Reassign what they host in teams.',
    options: { email },
    run: (given, { settings, print }) =>
      withService(settings, async (context) => {
        print((await disableUser(context, COMMAND_LINE, given.get('email'))).id)
      }),
  },
  {
    name: 'user enable',
    about: 'Enables a disabled user. Revoked tokens stay revoked.',
    options: { email },
    run: (given, { settings, print }) =>
      withService(settings, async (context) => {
        print((await enableUser(context, COMMAND_LINE, given.get('email'))).id)
      }),
  },
  {
    name: 'user reset-passkeys',
    about:
      'Removes all passkeys and recovery codes of a user who has lost them, and ends their sessions. API tokens stay. An emailed link, or login-link, then signs them in again. Prints how many passkeys there were.',
    options: { email },
    run: (given, { settings, print }) =>
      withService(settings, async (context) => {
        print(String(await resetPasskeys(context, COMMAND_LINE, given.get('email'))))
      }),
  },
  {
    name: 'user delete',
    about:
      'Deletes a user for good, and prints how many meetings went over and how many are cancelled. With --hand-over-to, everything goes to that user, or nothing if a meeting can’t.',
    options: {
      email,
      'hand-over-to': {
        value: 'ADDRESS',
        about: 'The user who gets their event types, meetings and places in teams.',
      },
      cancel: {
        about: 'Cancel the meetings that can’t go over; without --hand-over-to, all upcoming ones.',
      },
    },
    run: (given, { settings, print }) =>
      withService(settings, async (context) => {
        const to = given.find('hand-over-to')
        const { id } = await getUser(context.db, given.get('email'))
        const { moved, cancelled } = await endAccount(context, COMMAND_LINE, id, {
          ...(to !== undefined && { handOverTo: (await getUser(context.db, to)).id }),
          meetings: given.has('cancel') ? 'cancel' : 'refuse',
        })
        print(`${moved} handed over, ${cancelled} cancelled`)
      }),
  },
  {
    name: 'token create',
    about:
      'Creates an API token for a user (a bearer token for /api/admin) and prints it. It is not shown again.',
    options: {
      email,
      name: { value: 'NAME', about: 'What it is for. Default: command line.' },
      scope: {
        value: 'SCOPE',
        about: 'What it can do; write includes read. Default: write.',
        multiple: true,
        oneOf: SCOPES,
      },
      days: { value: 'N', about: 'Days until it expires, 1 to 3650. Default: never.' },
    },
    run: (given, { settings, print }) => {
      const days = readDays(given.find('days'))
      const scopes = given.list('scope') as readonly Scope[]
      return withService(settings, async (context) => {
        const token = await issueToken(context, COMMAND_LINE, given.get('email'), {
          name: given.find('name') ?? 'command line',
          scopes: scopes.length > 0 ? scopes : ['write'],
          ...(days !== undefined && { days }),
        })
        print(token)
      })
    },
  },
  {
    name: 'login-link',
    about:
      'Prints a sign-in link that works once, for 15 minutes. A user with passkeys is still asked for one: see user reset-passkeys.',
    options: { email },
    run: (given, { settings, print }) =>
      withService(settings, async (context) => {
        print(await issueLink(context, COMMAND_LINE, given.get('email')))
      }),
  },
  {
    name: 'erase',
    about:
      'Erases a guest’s data everywhere and prints how much it was. Upcoming bookings are cancelled. Cannot be undone.',
    options: { email: { ...email, about: 'The guest’s email address.' } },
    run: (given, { settings, print }) =>
      withService(settings, async (context) => {
        const counts = await eraseGuest(context, COMMAND_LINE, given.get('email'), 'all')
        print(JSON.stringify(counts))
      }),
  },
  {
    name: 'invite',
    about:
      'Invites someone and prints a link that creates their account; it works once, for 14 days. With SMTP_URL set, it also emails them.',
    options: {
      email: { ...email, about: 'The email address to invite.' },
      team: {
        value: 'SLUG',
        about: 'The team to join. Default: only this instance.',
      },
      role: { value: 'ROLE', about: 'Their role in the team. Default: member.', oneOf: ROLES },
    },
    run: (given, { settings, print }) => {
      const [teamSlug, role] = [given.find('team'), given.find('role') as Role | undefined]
      if (role !== undefined && teamSlug === undefined) throw new UsageError('--role needs --team')
      return withService(settings, async (context) => {
        const { email, team, token } = await invite(context, COMMAND_LINE, {
          email: given.get('email'),
          ...(teamSlug !== undefined && { teamSlug }),
          ...(role !== undefined && { role }),
        })
        const link = invitationLink(context, token)
        print(link)
        // Unlike in the host API, wait for the email: if it can't be sent, the command fails.
        if (settings.smtpUrl === '') return
        const inviter = new URL(context.publicUrl).host
        const signsIn = token !== ''
        const locale = team?.locale ?? 'en'
        await context.mailer(
          invitationMail(email, { inviter, link, signsIn, locale, ...(team && { team: team.name }) }),
        )
      })
    },
  },
]

function readDays(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const days = Number(text)
  if (!/^\d{1,4}$/.test(text) || days < 1 || days > 3650) {
    throw new UsageError('--days must be a whole number from 1 to 3650')
  }
  return days
}

const toView = ({ id, email, slug, name, admin, disabledAt }: User) => ({
  id,
  email,
  slug,
  name,
  admin,
  disabled: disabledAt !== null,
})

const toLine = ({ id, email, slug, admin, disabledAt }: User) =>
  [id, email, slug, ...(admin ? ['admin'] : []), ...(disabledAt === null ? [] : ['disabled'])].join('\t')
