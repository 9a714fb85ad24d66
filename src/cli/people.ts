import { ROLES, type Role, SCOPES, type Scope, type User } from '../domain/people/user.ts'
import { invitationMail } from '../services/people/invitation-mail.ts'
import { invite } from '../services/people/invite.ts'
import { issueLink, issueToken } from '../services/people/issue-access.ts'
import { addUser, disableUser, enableUser } from '../services/people/users.ts'
import { findUsers } from '../store/people/users.ts'
import { type Command, UsageError } from './command.ts'
import { COMMAND_LINE, withService } from './open.ts'

const email = { value: 'ADDRESS', about: 'The user’s e-mail address.', required: true } as const

/** Commands about users, and about what lets them in. */
export const peopleCommands: readonly Command[] = [
  {
    name: 'user create',
    about: 'Adds a user and prints their id. They sign in with a link that is mailed to the address.',
    options: {
      email,
      slug: { value: 'SLUG', about: 'The address of their page; without it, made from the e-mail address.' },
      name: { value: 'NAME', about: 'What guests read.' },
      admin: { about: 'May invite others to this instance.' },
    },
    run: (given, { settings, print }) =>
      withService(settings, async (context) => {
        const [slug, name] = [given.find('slug'), given.find('name')]
        const wish = { email: given.get('email'), admin: given.has('admin') }
        const user = await addUser(context, COMMAND_LINE, {
          ...wish,
          ...(slug !== undefined && { slug }),
          ...(name !== undefined && { name }),
        })
        print(user.id)
      }),
  },
  {
    name: 'user list',
    about: 'Lists users, the oldest first: id, e-mail address, slug, and what is special.',
    options: { json: { about: 'As JSON.' } },
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
      'Shuts a user out: sessions end and API tokens are revoked at once. Their own page is closed; in teams, hand over what they host.',
    options: { email },
    run: (given, { settings, print }) =>
      withService(settings, async (context) => {
        print((await disableUser(context, COMMAND_LINE, given.get('email'))).id)
      }),
  },
  {
    name: 'user enable',
    about: 'Lets a disabled user in again. Tokens that were revoked stay revoked.',
    options: { email },
    run: (given, { settings, print }) =>
      withService(settings, async (context) => {
        print((await enableUser(context, COMMAND_LINE, given.get('email'))).id)
      }),
  },
  {
    name: 'token create',
    about: 'Makes an API token for a user and prints it, this once: a bearer token for /api/admin.',
    options: {
      email,
      name: { value: 'NAME', about: 'What it is for. Default: command line.' },
      scope: {
        value: 'SCOPE',
        about: 'What it may do; write includes read. Default: write.',
        multiple: true,
        oneOf: SCOPES,
      },
      days: { value: 'N', about: 'How long it lasts, 1 to 3650. Default: until it is revoked.' },
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
    about: 'Prints a link that signs in, once, within 15 minutes. Links made earlier for the address end.',
    options: { email },
    run: (given, { settings, print }) =>
      withService(settings, async (context) => {
        print(await issueLink(context, COMMAND_LINE, given.get('email')))
      }),
  },
  {
    name: 'invite',
    about:
      'Invites someone for 14 days and prints the page where they sign in. With SMTP_URL set, they also get a mail.',
    options: {
      email: { ...email, about: 'Whom to invite.' },
      team: {
        value: 'SLUG',
        about: 'The team to join; without it, the invitation is to this instance alone.',
      },
      role: { value: 'ROLE', about: 'Their role in the team. Default: member.', oneOf: ROLES },
    },
    run: (given, { settings, print }) => {
      const [teamSlug, role] = [given.find('team'), given.find('role') as Role | undefined]
      if (role !== undefined && teamSlug === undefined) throw new UsageError('--role needs --team')
      return withService(settings, async (context) => {
        const { email, team } = await invite(context, COMMAND_LINE, {
          email: given.get('email'),
          ...(teamSlug !== undefined && { teamSlug }),
          ...(role !== undefined && { role }),
        })
        const link = `${context.publicUrl}/app/sign-in`
        print(link)
        // Unlike in the host API, wait for the email: if it can't be sent, the command fails.
        if (settings.smtpUrl === '') return
        const inviter = new URL(context.publicUrl).host
        await context.mailer(invitationMail(email, { inviter, link, ...(team && { team: team.name }) }))
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
