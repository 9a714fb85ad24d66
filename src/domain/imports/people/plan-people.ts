import { LANGUAGES } from '../../languages.ts'
import { isEmail, isWebAddress } from '../../people/contact.ts'
import { THEMES } from '../../people/scheduler.ts'
import { RESERVED_SLUGS } from '../../people/slug.ts'
import { type Sentence, sentence } from '../../sentence.ts'
import { canonicalZone } from '../../zone.ts'
import { type Draft, keyOf } from '../draft.ts'
import type { PlannedTeam, PlannedUser } from '../plan.ts'
import type { SourceKey, SourceRow } from '../source.ts'
import {
  flagIn,
  groupBy,
  idIn,
  lineOf,
  lookUp,
  proseOf,
  textIn,
  treeIn,
  wholeIn,
  withoutHtml,
} from '../values.ts'
import { type AttributesOf, readAttributes } from './attributes.ts'
import { assignSlugs, type Named, slugify } from './slugs.ts'

const OWNER_ROLES: ReadonlySet<string> = new Set(['OWNER', 'ADMIN'])

/** What everyone is called, before anyone is planned. */
interface People {
  /** The rows that come along. */
  readonly rows: ReadonlySet<SourceRow>
  /** Their names in addresses there, the present one first. */
  readonly names: ReadonlyMap<SourceKey, readonly string[]>
  readonly slugs: ReadonlyMap<SourceKey, string>
  readonly taken: ReadonlySet<string>
}

export const nameOfUser = (row: SourceRow): string =>
  lineOf(textIn(row, 'name'), 200) ||
  lineOf(textIn(row, 'username'), 200) ||
  lineOf(textIn(row, 'email'), 200)

const nameOfTeam = (row: SourceRow): string =>
  lineOf(textIn(row, 'name'), 200) || lineOf(textIn(row, 'slug'), 200)

/** The organization is the instance itself. */
export const isOrganization = (row: SourceRow): boolean =>
  flagIn(row, 'isOrganization') || flagIn(row, 'isPlatform')

/** People and teams, with the names that lead to them. */
export function planPeople(draft: Draft): void {
  const organizations = new Set(
    draft
      .rows('Team')
      .filter(isOrganization)
      .map((row) => idIn(row)),
  )
  const memberships = draft.rows('Membership')
  const accepted = memberships.filter((row) => flagIn(row, 'accepted'))
  const admins = new Set(
    accepted
      .filter((row) => organizations.has(idIn(row, 'teamId')) && OWNER_ROLES.has(textIn(row, 'role')))
      .map((row) => idIn(row, 'userId')),
  )
  const people = readPeople(draft, accepted)
  draft.eachRow('users', nameOfUser, (row, key) => planUser(draft, row, key, people, admins.has(idIn(row))))
  const membersOf = groupBy(accepted, (row) => idIn(row, 'teamId'))
  const attributes = readAttributes(draft, membersOf)
  draft.eachRow('Team', nameOfTeam, (row, key) => {
    if (isOrganization(row)) return IS_INSTANCE
    return planTeam(draft, row, key, people, membersOf.get(idIn(row)) ?? [], attributes(idIn(row)))
  })
  // Nothing of it stays behind.
  for (const [index, line] of draft.lines.entries()) {
    if (line.sentence === IS_INSTANCE) draft.lines[index] = { ...line, state: 'same' }
  }
  leaveOutInvitations(draft, memberships)
}

const IS_INSTANCE = sentence`The organization is this whole service here. Its owners and admins become admins of the service.`

function readPeople(draft: Draft, accepted: readonly SourceRow[]): People {
  const byId = (a: { readonly row: SourceRow }, b: { readonly row: SourceRow }) =>
    (wholeIn(a.row, 'id') ?? Infinity) - (wholeIn(b.row, 'id') ?? Infinity)
  const emails = new Set<string>()
  const comes = (row: SourceRow, key: SourceKey) => idIn(row) !== '' && !draft.isLeftOut(key)
  const users = draft
    .rows('users')
    .map((row) => ({ row, key: keyOf('users', idIn(row)), email: emailOf(row) }))
    .sort(byId)
    .filter(({ row, key, email }) => {
      if (!comes(row, key) || !isEmail(email) || emails.has(email)) return false
      emails.add(email)
      return true
    })
  const coming = new Set(users.map(({ row }) => idIn(row)))
  const withMembers = new Set(
    accepted.filter((row) => coming.has(idIn(row, 'userId'))).map((row) => idIn(row, 'teamId')),
  )
  const teams = draft
    .rows('Team')
    .map((row) => ({ row, key: keyOf('Team', idIn(row)) }))
    .filter(({ row, key }) => comes(row, key) && !isOrganization(row) && withMembers.has(idIn(row)))
    .sort(byId)
  const profiles = groupBy(draft.rows('Profile'), (row) => idIn(row, 'userId'))
  const names = new Map<SourceKey, readonly string[]>([
    ...users.map(({ row, key }) => {
      const own = (profiles.get(idIn(row)) ?? []).map((profile) => textIn(profile, 'username'))
      return [key, oldNames([...own, textIn(row, 'username')])] as const
    }),
    ...teams.map(({ row, key }) => [key, oldNames([textIn(row, 'slug')])] as const),
  ])
  const named = [
    ...users.map(({ row, key, email }): Named => {
      const account = draft.here.accounts.get(email)
      return {
        key,
        wanted: names.get(key)?.[0] ?? '',
        otherwise: [textIn(row, 'name'), email.slice(0, email.indexOf('@'))],
        ...(account !== undefined && { fixed: account.slug }),
      }
    }),
    ...teams.map(({ row, key }) => ({
      key,
      wanted: names.get(key)?.[0] ?? '',
      otherwise: [textIn(row, 'name'), 'team'],
    })),
  ]
  const isTaken = (slug: string) => RESERVED_SLUGS.has(slug) || draft.here.slugs.has(slug)
  const { slugs, offered } = assignSlugs(named, isTaken, draft.choices)
  draft.offered.push(...offered)
  const rows = new Set([...users, ...teams].map(({ row }) => row))
  return { rows, names, slugs, taken: new Set(slugs.values()) }
}

const emailOf = (row: SourceRow) => textIn(row, 'email').trim().normalize('NFC').toLowerCase()

/** As they are in addresses, each once. */
const oldNames = (names: readonly string[]) => [
  ...new Set(names.map((name) => lineOf(name, 200).toLowerCase()).filter((name) => name !== '')),
]

function planUser(
  draft: Draft,
  row: SourceRow,
  key: SourceKey,
  { rows, names, slugs, taken }: People,
  isAdmin: boolean,
): PlannedUser | Sentence {
  const email = emailOf(row)
  if (!isEmail(email))
    return sentence`This person has no email address that we can read, so they couldn’t sign in.`
  const slug = slugs.get(key)
  if (slug === undefined || !rows.has(row)) return sentence`Another person has the same email address.`
  const account = draft.here.accounts.get(email)
  const notes: Sentence[] = []
  if (account !== undefined) notes.push(sentence`Has an account here already: its name, link and page stay.`)
  const old = names.get(key) ?? []
  const admin = isAdmin || textIn(row, 'role') === 'ADMIN'
  if (admin && account?.admin !== true)
    notes.push(sentence`Becomes an admin of this service, as they are one there.`)
  const disabled = flagIn(row, 'locked')
  if (disabled) notes.push(sentence`Is locked there, so the account is disabled here.`)
  const pageNotes: Sentence[] = [
    ...(flagIn(row, 'twoFactorEnabled') ? [sentence`Has to set up two-factor sign-in again.`] : []),
    ...slugNotes(old[0], slug),
  ]
  const page = planPage(row, nameOfUser(row) || email, slug, pageNotes)
  return {
    kind: 'user',
    key,
    unit: key,
    name: nameOfUser(row) || email,
    notes: account === undefined ? [...notes, ...pageNotes] : notes,
    content: {
      ...page,
      email,
      admin: admin || account?.admin === true,
      disabled,
      exists: account !== undefined,
      timeFormat: TIME_FORMATS[wholeIn(row, 'timeFormat') ?? 0] ?? 'auto',
      weekStart: lookUp(WEEK_STARTS, textIn(row, 'weekStart').toLowerCase()) ?? 'auto',
      oldSlugs: old.filter((name) => name !== slug && isFormerSlug(name, taken, draft)),
    },
  }
}

const TIME_FORMATS: Readonly<Record<number, '12h' | '24h'>> = { 12: '12h', 24: '24h' }
const WEEK_STARTS: Readonly<Record<string, 'monday' | 'saturday' | 'sunday'>> = {
  monday: 'monday',
  saturday: 'saturday',
  sunday: 'sunday',
}

/** Whether an old name is a slug that leads to nobody else. */
function isFormerSlug(name: string, taken: ReadonlySet<string>, { here }: Draft): boolean {
  return name === slugify(name) && !RESERVED_SLUGS.has(name) && !here.slugs.has(name) && !taken.has(name)
}

function slugNotes(old: string | undefined, slug: string): Sentence[] {
  if (old === undefined) return [sentence`Had no name in links there: theirs is “${slug}” here.`]
  if (old === slug) return []
  return slugify(old) === slug
    ? [sentence`The name in links is spelled “${slug}” here. Links with “${old}” still work.`]
    : [sentence`“${old}” is reserved or taken here, so the name in links is “${slug}”.`]
}

const DEFAULT_COLOR = '#2563eb'

/** What a page looks like; adds what could not be kept. */
function planPage(row: SourceRow, name: string, slug: string, notes: Sentence[]) {
  const avatar = textIn(row, 'avatarUrl') || textIn(row, 'logoUrl')
  const avatarUrl = isWebAddress(avatar) && avatar.isWellFormed() ? avatar : ''
  if (avatar !== '' && avatarUrl === '')
    notes.push(sentence`The picture is stored over there: please upload it here.`)
  const zone = textIn(row, 'timeZone')
  const timeZone = canonicalZone(zone) ?? 'UTC'
  if (canonicalZone(zone) === undefined)
    notes.push(sentence`The time zone “${lineOf(zone, 64)}” is not known here, so it is UTC.`)
  const spoken = textIn(row, 'locale').slice(0, 2).toLowerCase()
  const locale = LANGUAGES.find((language) => language === spoken) ?? 'en'
  if (spoken !== '' && spoken !== locale)
    notes.push(
      sentence`There are no texts in “${lineOf(textIn(row, 'locale'), 16)}” here, so pages are in English.`,
    )
  const theme = THEMES.find((one) => one === textIn(row, 'theme')) ?? 'auto'
  return {
    slug,
    name,
    bio: proseOf(withoutHtml(textIn(row, 'bio')), 5000),
    avatarUrl,
    timeZone,
    locale,
    theme,
    branding: { primaryColor: colorOf(textIn(row, 'brandColor')), logoUrl: '' },
  }
}

function colorOf(text: string): string {
  if (/^#[0-9a-f]{6}$/i.test(text)) return text.toLowerCase()
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text)
  return short === null
    ? DEFAULT_COLOR
    : `#${short
        .slice(1)
        .map((digit) => digit + digit)
        .join('')}`.toLowerCase()
}

const ROLES = { OWNER: 'owner', ADMIN: 'admin', MEMBER: 'member' } as const
const STANDARD_ROLES: ReadonlySet<string> = new Set(['', 'owner_role', 'admin_role', 'member_role'])

function planTeam(
  draft: Draft,
  row: SourceRow,
  key: SourceKey,
  { names, slugs, taken }: People,
  memberships: readonly SourceRow[],
  { attributes, valuesOf, notes: attributeNotes }: AttributesOf,
): PlannedTeam | Sentence {
  const slug = slugs.get(key)
  const seen = new Set<SourceKey>()
  const members = memberships.flatMap((membership) => {
    const user = draft.user(idIn(membership, 'userId'))
    if (user === undefined || seen.has(user)) return []
    seen.add(user)
    const role = lookUp(ROLES, textIn(membership, 'role')) ?? 'member'
    return [{ user, role, attributes: valuesOf(idIn(membership, 'userId')) }]
  })
  const [first] = members
  if (slug === undefined || first === undefined) return sentence`None of its members come along.`
  const notes: Sentence[] = []
  const [old] = names.get(key) ?? []
  if (old === undefined)
    notes.push(sentence`Was not published there, so its event types are open to private links only.`)
  else notes.push(...slugNotes(old, slug))
  if (members.every(({ role }) => role !== 'owner')) {
    const heir = members.find(({ role }) => role === 'admin') ?? first
    members[members.indexOf(heir)] = { ...heir, role: 'owner' }
    notes.push(
      sentence`Has no owner who comes along, so ${draft.users.get(heir.user)?.name ?? ''} becomes the owner.`,
    )
  }
  if (memberships.some((membership) => !STANDARD_ROLES.has(textIn(membership, 'customRoleId'))))
    notes.push(sentence`Custom roles become owner, admin or member.`)
  if (Object.keys(treeIn(row, 'bookingLimits')).length > 0)
    notes.push(sentence`A limit for all meetings of the team is not known here: each event type has its own.`)
  const content = planPage(row, nameOfTeam(row) || slug, slug, notes)
  return {
    kind: 'team',
    key,
    unit: key,
    name: nameOfTeam(row) || slug,
    notes: [...notes, ...attributeNotes],
    content: {
      ...content,
      members,
      attributes,
      oldSlugs: (names.get(key) ?? []).filter((name) => name !== slug && isFormerSlug(name, taken, draft)),
    },
  }
}

function leaveOutInvitations(draft: Draft, memberships: readonly SourceRow[]): void {
  const users = new Map(draft.rows('users').map((row) => [idIn(row), row]))
  for (const [index, row] of memberships.entries()) {
    if (flagIn(row, 'accepted')) continue
    const user = users.get(idIn(row, 'userId'))
    const { key } = draft.claimKey('Membership', row, index)
    const name = user === undefined ? '' : nameOfUser(user)
    draft.leaveOut(key, name, sentence`The invitation to a team was not accepted there.`)
  }
}
