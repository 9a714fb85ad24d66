import type { PrivateLink } from '../../../domain/bookings/private-link.ts'
import { Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { findPrivateLinkPage } from '../../../store/bookings/private-links.ts'
import { findCalendarPage } from '../../../store/calendars/calendars.ts'
import { findConnectionPage } from '../../../store/calendars/connections.ts'
import type { Db } from '../../../store/engine/database.ts'
import { findEventTypes } from '../../../store/event-types/event-types.ts'
import { type FormResponse, findFormPage, findResponses } from '../../../store/forms/forms.ts'
import { findPaymentAccountOf } from '../../../store/payments/accounts.ts'
import { findLedgerPage, type ListedEntry } from '../../../store/payments/entries.ts'
import { findTeamMember } from '../../../store/people/members.ts'
import { findPasskeys } from '../../../store/people/passkeys.ts'
import { findSavedFilters } from '../../../store/people/saved-filters.ts'
import { findMemberships, type Membership } from '../../../store/people/teams.ts'
import { type ApiToken, findApiTokens } from '../../../store/people/tokens.ts'
import { findUser } from '../../../store/people/users.ts'
import { findSubscriptionsOf } from '../../../store/push/subscriptions.ts'
import { findWebhooks } from '../../../store/webhooks/webhooks.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../people/access.ts'
import { type Principal, requireSession } from '../../people/sign-in/principal.ts'
import { KeyedTurns } from '../../slots/keyed-turns.ts'
import { formatTime } from './document.ts'
import { atOneMoment, collectWorkspace, PAGE, readAll } from './export.ts'

/** Limited, because the file is put together in memory. */
const MAX_RESPONSES = 100_000

/** One export at a time: each may take a hundred megabytes. */
const turns = new KeyedTurns()

interface AccountExport {
  readonly slug: string
  /** JSON, in pieces. */
  readonly chunks: Iterable<string>
}

/** Everything that belongs to the signed-in user, without passwords and other secrets. */
export async function exportAccount(context: Context, principal: Principal): Promise<AccountExport> {
  requireSession(principal, sentence`An API token cannot export your account. Sign in for that.`)
  const { userId } = principal
  return turns.run(['export'], () =>
    atOneMoment(context.db, async (snapshot) => {
      const user = await findUser(snapshot, userId)
      if (user === undefined) throw notFound()
      const { slug, email } = user
      const options = { users: [slug], teams: [], withBookings: true }
      const workspace = await collectWorkspace(snapshot, options, context.now())
      const account = {
        // Can be imported into another instance. Colleagues who share an event type are left out.
        workspace: { ...workspace, users: workspace.users.filter((exported) => exported.email === email) },
        formResponses: await responsesOf(snapshot, userId),
        privateLinks: await linksOf(snapshot, userId),
        webhooks: await webhooksOf(snapshot, userId),
        calendars: await calendarsOf(snapshot, userId),
        connections: await connectionsOf(snapshot, userId),
        payments: await paymentsOf(snapshot, userId),
        teams: await teamsOf(snapshot, userId),
        apiTokens: await tokensOf(snapshot, userId),
        passkeys: await passkeysOf(snapshot, userId),
        savedFilters: await findSavedFilters(snapshot, userId),
        notifications: await notificationsOf(snapshot, userId),
      }
      return { slug, chunks: jsonOf(account) }
    }),
  )
}

async function responsesOf(db: Db, userId: string) {
  const forms = await readAll<{ readonly id: string; readonly slug: string }>((last) =>
    findFormPage(db, [userId], { after: last?.id, limit: PAGE }),
  )
  const responses: object[] = []
  for (const { id, slug } of forms) {
    const ofForm = await readAll<FormResponse>((last, count) => {
      if (responses.length + count > MAX_RESPONSES) {
        throw new Problem(
          'invalid',
          sentence`Your forms have more than ${MAX_RESPONSES} responses. Download them form by form, and delete some first.`,
        )
      }
      return findResponses(db, id, { after: last && { at: last.createdAt, id: last.id }, limit: PAGE })
    })
    for (const { answers, result, createdAt } of ofForm) {
      responses.push({ form: slug, answers, result, createdTime: formatTime(createdAt) })
    }
  }
  return responses
}

async function linksOf(db: Db, userId: string) {
  const links: object[] = []
  for (const { id, slug } of await findEventTypes(db, userId)) {
    const ofType = await readAll<PrivateLink>((last) =>
      findPrivateLinkPage(db, id, { after: last?.id, limit: PAGE }),
    )
    for (const { uses, used, expiresAt, durationMinutes, answers, note, createdAt } of ofType) {
      const expiresTime = expiresAt === null ? null : formatTime(expiresAt)
      const createdTime = formatTime(createdAt)
      links.push({ eventType: slug, uses, used, durationMinutes, answers, note, createdTime, expiresTime })
    }
  }
  return links
}

async function webhooksOf(db: Db, userId: string) {
  return (await findWebhooks(db, userId)).map(({ url, format, events, eventTypeIds, active, createdAt }) => {
    return { url, format, events, eventTypeIds, active, createdTime: formatTime(createdAt) }
  })
}

async function calendarsOf(db: Db, userId: string) {
  const calendars = await findCalendarPage(db, userId, { limit: PAGE })
  return calendars.map(({ kind, name, url, username, busy, tentative, writeTo, createdAt }) => {
    return { kind, name, url, username, busy, tentative, writeTo, createdTime: formatTime(createdAt) }
  })
}

async function connectionsOf(db: Db, userId: string) {
  const connections = await findConnectionPage(db, userId, { limit: PAGE })
  const payee = await findPaymentAccountOf(db, userId)
  return [...connections, ...(payee ? [payee] : [])].map(({ provider, account, status, createdAt }) => {
    return { provider, account, status, createdTime: formatTime(createdAt) }
  })
}

/** The ledger of their own event types, the latest first. */
async function paymentsOf(db: Db, userId: string) {
  const owners = [{ schedulerId: userId }]
  const entries = await readAll<ListedEntry>((last) =>
    findLedgerPage(db, owners, {}, { after: last, limit: PAGE }),
  )
  return entries.map(({ kind, bookingId, amount, currency, at, reference }) => {
    return { kind, bookingId, amount, currency, time: formatTime(at), reference }
  })
}

async function teamsOf(db: Db, userId: string) {
  const memberships = await readAll<Membership>((last) =>
    findMemberships(db, userId, { after: last?.team.id, limit: PAGE }),
  )
  const teams: object[] = []
  for (const { team, role } of memberships) {
    const { attributes } = (await findTeamMember(db, team.id, userId)) ?? {}
    teams.push({ slug: team.slug, name: team.name, role, attributes })
  }
  return teams
}

async function tokensOf(db: Db, userId: string) {
  const tokens = await readAll<ApiToken>((last) =>
    findApiTokens(db, userId, { after: last?.id, limit: PAGE }),
  )
  return tokens.map(({ name, scopes, createdAt, expiresAt }) => {
    const expires = expiresAt === null ? null : formatTime(expiresAt)
    return { name, scopes, createdTime: formatTime(createdAt), expiresTime: expires }
  })
}

async function passkeysOf(db: Db, userId: string) {
  return (await findPasskeys(db, userId)).map(({ name, createdAt, lastUsedAt }) => {
    const used = lastUsedAt === null ? null : formatTime(lastUsedAt)
    return { name, createdTime: formatTime(createdAt), lastUsedTime: used }
  })
}

/** Without the address: whoever knows it knows the browser. */
async function notificationsOf(db: Db, userId: string) {
  return (await findSubscriptionsOf(db, [userId])).map(({ endpoint, kinds, createdAt }) => {
    return { pushService: new URL(endpoint).host, kinds, createdTime: formatTime(createdAt) }
  })
}

/** JSON in pieces: writing a large file at once would hold up other requests. */
function* jsonOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    yield '['
    for (let at = 0; at < value.length; at += PAGE) {
      const items = value.slice(at, at + PAGE).map((item) => JSON.stringify(item))
      yield `${at > 0 ? ',' : ''}${items.join(',')}`
    }
    yield ']'
  } else if (typeof value === 'object' && value !== null) {
    yield '{'
    for (const [index, [key, item]] of Object.entries(value).entries()) {
      yield `${index > 0 ? ',' : ''}${JSON.stringify(key)}:`
      yield* jsonOf(item)
    }
    yield '}'
  } else {
    yield JSON.stringify(value)
  }
}
