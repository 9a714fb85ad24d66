import { at, DAY, SEEDED_ORGANIZATION, type Seed, uuidOf } from './seed.ts'

export const PEOPLE = 40

export const emailOf = (user: number) => `person${user}@example.org`

/** Wants the same name as its neighbour, which is not in the organization. */
const TWIN_INSIDE = 33
const TWIN_OUTSIDE = 34
const RESERVED = 35
const NAMELESS = 36
const LOCKED = 37

const usernameOf = (user: number) =>
  new Map<number, string | null>([
    [TWIN_INSIDE, 'twin'],
    [TWIN_OUTSIDE, 'twin'],
    [RESERVED, 'admin'],
    [NAMELESS, null],
    [38, 'Person.38'],
  ]).get(user) ?? (user === NAMELESS ? null : `person-${user}`)

const ZONES = ['Europe/London', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Australia/Lord_Howe']

/** People, teams, who is in which, and when they work. */
export function seedPeople(seed: Seed): void {
  for (let user = 1; user <= PEOPLE; user++) {
    const inside = user !== TWIN_OUTSIDE
    seed.add('users', {
      id: user,
      uuid: uuidOf(1, user),
      username: usernameOf(user),
      name: user === 39 ? null : `Person ${user}`,
      email: user === 40 ? 'Person40@Example.org' : emailOf(user),
      bio: user === 2 ? 'Tabs\tand\nlines, back\\slashes, \'quotes\', "more", $$, 日本語 and 🌍.' : null,
      timeZone: ZONES[user % ZONES.length],
      weekStart: user % 2 === 0 ? 'Monday' : 'Sunday',
      locale: ['en', 'de', 'fr', 'pt-BR', null][user % 5],
      theme: [null, 'dark', 'light'][user % 3],
      brandColor: user === 3 ? '#00aa55' : null,
      timeFormat: user % 2 === 0 ? 24 : 12,
      defaultScheduleId: 200 + user,
      organizationId: inside ? SEEDED_ORGANIZATION : null,
      role: user === 1 ? 'ADMIN' : 'USER',
      locked: user === LOCKED,
      avatarUrl: user === 4 ? '/api/avatar/4.png' : null,
      metadata: user === 5 ? { migratedToOrgFrom: { username: 'five' } } : null,
    })
    seedHours(seed, user)
    if (!inside) continue
    if (user !== NAMELESS) {
      seed.add('Profile', {
        id: 500 + user,
        uid: `profile-${user}`,
        userId: user,
        organizationId: SEEDED_ORGANIZATION,
        username: usernameOf(user),
        updatedAt: at(seed.now - 300 * DAY),
      })
    }
    seed.add('Membership', {
      id: 1000 + user,
      teamId: SEEDED_ORGANIZATION,
      userId: user,
      role: user === 1 ? 'OWNER' : user === 2 ? 'ADMIN' : 'MEMBER',
    })
  }
  seedTeams(seed)
  seedTimeOff(seed)
  // Broken: nobody has this number.
  seed.add('Membership', { id: 1999, teamId: 101, userId: 999 })
}

function seedHours(seed: Seed, user: number): void {
  const scheduleId = 200 + user
  const hours = (values: object) =>
    seed.add('Availability', { id: seed.nextId('Availability'), days: [], ...values })
  seed.add('Schedule', {
    id: scheduleId,
    userId: user,
    name: 'Working hours',
    timeZone: user % 3 === 0 ? null : ZONES[user % ZONES.length],
  })
  hours({ scheduleId, days: [1, 2, 3, 4, 5], startTime: '09:00', endTime: '17:00' })
  if (user === 2) {
    seed.add('Schedule', { id: 302, userId: 2, name: 'Evenings and weekends', timeZone: 'Europe/London' })
    hours({ scheduleId: 302, days: [0, 6], startTime: '00:00', endTime: '23:59' })
    hours({ scheduleId: 302, days: [1, 3], startTime: '18:00', endTime: '23:59' })
    const dateAfter = (days: number) => at(seed.now + days * DAY).slice(0, 10)
    hours({ scheduleId: 302, date: dateAfter(10), startTime: '10:00', endTime: '12:00' })
    hours({ scheduleId: 302, date: dateAfter(10), startTime: '13:00', endTime: '23:59' })
    hours({ scheduleId: 302, date: dateAfter(11), startTime: '00:00', endTime: '00:00' })
    hours({ scheduleId: 302, date: dateAfter(-100), startTime: '09:00', endTime: '10:00' })
  }
  // From before there were schedules.
  if (user === 3) hours({ userId: 3, days: [6], startTime: '10:00', endTime: '14:00' })
  if (user === 4) {
    seed.add('TravelSchedule', {
      id: 1,
      userId: 4,
      timeZone: 'America/Los_Angeles',
      startDate: at(seed.now + 20 * DAY),
      endDate: at(seed.now + 27 * DAY),
      prevTimeZone: ZONES[4],
    })
  }
}

function seedTeams(seed: Seed): void {
  seed.add('Team', {
    id: SEEDED_ORGANIZATION,
    name: 'Example organization',
    slug: 'example',
    isOrganization: true,
    metadata: { orgAutoAcceptEmail: 'example.org', isOrganizationVerified: true },
  })
  seed.add('Team', {
    id: 101,
    name: 'Sales',
    slug: 'sales',
    bio: 'We show you around.',
    brandColor: '#1144cc',
    parentId: SEEDED_ORGANIZATION,
    timeZone: 'Europe/Berlin',
    weekStart: 'Monday',
  })
  seed.add('Team', { id: 102, name: 'Care', slug: 'care', parentId: SEEDED_ORGANIZATION, isPrivate: true })
  // Not published.
  seed.add('Team', {
    id: 103,
    name: 'Quiet team',
    parentId: SEEDED_ORGANIZATION,
    metadata: { requestedSlug: 'quiet' },
  })
  const join = (teamId: number, first: number, last: number) => {
    for (let user = first; user <= last; user++) {
      const role = user === first ? 'OWNER' : user === first + 1 ? 'ADMIN' : 'MEMBER'
      seed.add('Membership', { id: teamId * 100 + user, teamId, userId: user, role })
    }
  }
  join(101, 1, 12)
  join(102, 13, 20)
  join(103, 21, 24)
  seed.add('Membership', { id: 10125, teamId: 101, userId: 25, accepted: false })
}

function seedTimeOff(seed: Seed): void {
  const off = (id: number, userId: number, from: number, days: number, values: object) =>
    seed.add('OutOfOfficeEntry', {
      id,
      uuid: uuidOf(2, id),
      userId,
      start: at(seed.now + from * DAY),
      end: at(seed.now + (from + days) * DAY - 1),
      updatedAt: at(seed.now - DAY),
      ...values,
    })
  off(1, 5, 14, 7, { toUserId: 6, reasonId: 2, notes: 'Back on Monday', showNotePublicly: true })
  off(2, 7, 3, 1, {})
  off(3, 8, -60, 10, { notes: 'Long past' })
  off(4, 9, 30, 2, { toUserId: 999 })
}
