import type { Sourced } from '../../domain/imports/source.ts'
import { sentence } from '../../domain/sentence.ts'
import { type Api, type ApiOptions, openApi, type Question } from './api-client.ts'
import {
  attributeRow,
  bookingRows,
  eventTypeRows,
  formRow,
  linkRow,
  membershipRow,
  optionRow,
  profileRow,
  scheduleRows,
  teamRow,
  timeOffRow,
  userRow,
  webhookRow,
} from './calcom-api-rows.ts'
import type { Read } from './reading.ts'
import { type Tree, treeOf, treesOf } from './trees.ts'

export interface CalcomApiSource {
  /** Such as https://api.cal.com */
  readonly api: string
  readonly token: string
}

/** Each group of the API has its own versions. */
const SCHEDULES = { 'cal-api-version': '2024-06-11' }
const EVENT_TYPES = { 'cal-api-version': '2024-06-14' }
const BOOKINGS = { 'cal-api-version': '2024-08-13' }

const PAGE = 100

/** Reads a person, or with an admin's token the organization, from Cal.com's API v2. */
export async function* readCalcomApi(source: CalcomApiSource, options: ApiOptions): AsyncGenerator<Read> {
  const api = openApi({
    ...options,
    service: 'Cal.com',
    base: source.api.replace(/\/v2\/?$/, ''),
    token: source.token,
  })
  try {
    const me = treeOf(treeOf(await api.get({ path: '/v2/me' })).data)
    const organization = me.organizationId ?? treeOf(me.organization).id
    const path = `/v2/organizations/${organization}`
    const users =
      typeof organization === 'number' ? await pageOf(api, { path: `${path}/users` }, 0) : undefined
    yield {
      note: sentence`Cal.com's API leaves out workflows, the blocklist and connected calendars. Import from its database to bring them along, or set them up here.`,
    }
    if (users === undefined) yield* readPerson(api, me)
    else yield* readOrganization(api, path, organization as number, me)
  } finally {
    api.close()
  }
}

/** The items of an answer; undefined if the token may not read them. */
async function itemsOf(api: Api, question: Question): Promise<readonly Tree[] | undefined> {
  const answer = await api.get({ ...question, optional: true })
  return answer === undefined ? undefined : treesOf(treeOf(answer).data)
}

const pageOf = (api: Api, question: Question, skip: number) =>
  itemsOf(api, { ...question, query: { ...question.query, take: PAGE, skip } })

/** All items of a list that has pages. */
async function* allOf(api: Api, question: Question): AsyncGenerator<Tree> {
  for (let skip = 0; ; skip += PAGE) {
    const page = await pageOf(api, question, skip)
    yield* page ?? []
    if (page === undefined || page.length < PAGE) return
  }
}

async function* rowsOf(
  api: Api,
  question: Question,
  rows: (item: Tree) => Sourced | readonly Sourced[],
): AsyncGenerator<Sourced> {
  for await (const item of allOf(api, question)) yield* [rows(item)].flat()
}

async function* readPerson(api: Api, me: Tree): AsyncGenerator<Read> {
  yield userRow(me)
  const people = new Set<unknown>([me.id])
  const teams = (await itemsOf(api, { path: '/v2/teams' })) ?? []
  for (const team of teams) {
    yield teamRow(team)
    for await (const membership of allOf(api, { path: `/v2/teams/${team.id}/memberships` })) {
      yield membershipRow(membership)
      if (!people.has(membership.userId)) yield userRow({ ...treeOf(membership.user), id: membership.userId })
      people.add(membership.userId)
    }
  }
  for (const schedule of (await itemsOf(api, { path: '/v2/schedules', headers: SCHEDULES })) ?? [])
    yield* scheduleRows(schedule)
  yield* readOwnEventTypes(api, me)
  for (const team of teams) {
    const types = await itemsOf(api, { path: `/v2/teams/${team.id}/event-types`, headers: EVENT_TYPES })
    for (const type of types ?? []) yield* eventTypeRows({ ...type, teamId: type.teamId ?? team.id })
  }
  yield* rowsOf(api, { path: '/v2/webhooks' }, webhookRow)
  yield* readBookings(api, '/v2/bookings')
}

/** With hidden ones, and private links. */
async function* readOwnEventTypes(api: Api, me: Tree): AsyncGenerator<Sourced> {
  const types = (await itemsOf(api, { path: '/v2/event-types', headers: EVENT_TYPES })) ?? []
  for (const type of types) {
    yield* eventTypeRows({ ...type, ownerId: type.ownerId ?? me.id })
    const path = `/v2/event-types/${type.id}`
    for (const link of (await itemsOf(api, { path: `${path}/private-links` })) ?? []) yield linkRow(link)
    yield* rowsOf(api, { path: `${path}/webhooks` }, (webhook) =>
      webhookRow({ ...webhook, userId: undefined, eventTypeId: type.id }),
    )
  }
}

async function* readOrganization(api: Api, path: string, id: number, me: Tree): AsyncGenerator<Read> {
  yield teamRow({ id, isOrganization: true })
  const usernames: [unknown, unknown][] = []
  for await (const user of allOf(api, { path: `${path}/users` })) {
    const profile = treeOf(user.profile)
    yield userRow(user, id)
    if (profile.id !== undefined) yield profileRow(profile)
    usernames.push([user.id, profile.username ?? user.username])
  }
  const members = new Map<unknown, unknown>()
  for await (const membership of allOf(api, { path: `${path}/memberships` })) {
    members.set(membership.userId, membership.id)
    yield membershipRow(membership)
  }
  const teams = await Array.fromAsync(allOf(api, { path: `${path}/teams` }))
  for (const team of teams) {
    yield teamRow({ ...team, parentId: team.parentId ?? id })
    yield* rowsOf(api, { path: `${path}/teams/${team.id}/memberships` }, membershipRow)
  }
  yield* rowsOf(api, { path: `${path}/schedules`, headers: SCHEDULES }, scheduleRows)
  yield* rowsOf(api, { path: `${path}/ooo` }, timeOffRow)
  yield* readOwnEventTypes(api, me)
  yield { note: sentence`Cal.com's API shows hidden event types and private links only to their owner.` }
  for (const [user, username] of usernames) {
    if (user === me.id || typeof username !== 'string') continue
    const query = { username, orgId: id }
    const types = await itemsOf(api, { path: '/v2/event-types', query, headers: EVENT_TYPES })
    for (const type of types ?? []) yield* eventTypeRows({ ...type, ownerId: type.ownerId ?? user })
  }
  yield* rowsOf(api, { path: `${path}/teams/event-types`, headers: EVENT_TYPES }, eventTypeRows)
  yield* readAttributes(api, path, members)
  yield* rowsOf(api, { path: `${path}/routing-forms` }, formRow)
  yield* rowsOf(api, { path: '/v2/webhooks' }, webhookRow)
  yield* rowsOf(api, { path: `${path}/webhooks` }, webhookRow)
  yield* readBookings(api, `${path}/bookings`)
}

async function* readAttributes(
  api: Api,
  path: string,
  members: ReadonlyMap<unknown, unknown>,
): AsyncGenerator<Sourced> {
  for await (const attribute of allOf(api, { path: `${path}/attributes` })) {
    yield attributeRow(attribute)
    const options = `${path}/attributes/${attribute.id}/options`
    for (const option of (await itemsOf(api, { path: options })) ?? []) yield optionRow(option)
    for await (const { id, assignedUserIds } of allOf(api, { path: `${options}/assigned` })) {
      for (const user of Array.isArray(assignedUserIds) ? assignedUserIds : []) {
        const memberId = members.get(user)
        if (memberId === undefined) continue
        yield { table: 'AttributeToUser', row: { id: `${memberId}-${id}`, memberId, attributeOptionId: id } }
      }
    }
  }
}

async function* readBookings(api: Api, path: string): AsyncGenerator<Sourced> {
  // Oldest first: what is booked meanwhile does not move the pages.
  const query = { sortCreated: 'asc', take: PAGE }
  for (let skip = 0; ; skip += PAGE) {
    const answer = treeOf(await api.get({ path, query: { ...query, skip }, headers: BOOKINGS }))
    const { totalPages, hasNextPage } = treeOf(answer.pagination)
    if (skip === 0 && typeof totalPages === 'number') api.expect(totalPages - 1)
    const page = treesOf(answer.data)
    for (const booking of page) yield* bookingRows(booking)
    if (page.length === 0 || (hasNextPage ?? page.length === PAGE) !== true) return
  }
}
