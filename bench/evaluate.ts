// Evaluating a large form, without HTTP: its 300 evaluations a minute would be all there is to measure.

import { join } from 'node:path'
import type { RoutingForm } from '../src/domain/forms/routing.ts'
import { createContext } from '../src/services/context.ts'
import { evaluateForm } from '../src/services/forms/evaluate.ts'
import { getForm } from '../src/services/forms/get.ts'
import { findBlockedEntries } from '../src/store/bookings/guests/blocked-guests.ts'
import type { Db } from '../src/store/engine/database.ts'
import { migrate } from '../src/store/engine/migrate.ts'
import { openDatabase } from '../src/store/engine/open-database.ts'
import { type Placeholder, prepared } from '../src/store/engine/prepared.ts'
import { findDestinations } from '../src/store/event-types/event-types.ts'
import { insertResponse } from '../src/store/forms/forms.ts'
import { insertJobs } from '../src/store/outbox.ts'
import { updateAttributes, updateMemberAttributes } from '../src/store/people/attributes.ts'
import { insertTeamMember } from '../src/store/people/members.ts'
import { findSchedulerBySlug } from '../src/store/people/schedulers.ts'
import { addForm } from '../test/forms.ts'
import { addEventType, addTeam, addUser, quietContext } from '../test/kit.ts'
import { answerParent } from './child.ts'

export interface EvaluateFigures {
  /** The whole, recorded or not. */
  readonly recorded: number
  readonly dryRun: number
  /** Reading the rows that it reads: the owner, the form, the blocklist and where it can lead. */
  readonly read: number
  /** Storing responses that are already known. */
  readonly stored: number
}

const RULES = 100
const HOSTS = 500
const REGIONS = Array.from({ length: 10 }, (_, index) => `region-${index}`)
const AT_ONCE = 64

async function seed(db: Db): Promise<RoutingForm> {
  const team = await addTeam(db, 'team')
  const hosts: { hostId: string; fixed: boolean }[] = []
  for (let number = 0; number < HOSTS; number++) {
    const { id } = await addUser(db, `host-${number}`)
    await insertTeamMember(db, { teamId: team.id, userId: id, role: 'member' }, 0)
    hosts.push({ hostId: id, fixed: false })
  }
  await db.transaction().execute(async (trx) => {
    await updateAttributes(trx, team.id, [
      { key: 'region', label: 'Region', type: 'one', options: REGIONS },
      { key: 'languages', label: 'Languages', type: 'many', options: ['de', 'en', 'fr'] },
    ])
    for (const [number, { hostId }] of hosts.entries()) {
      const region = REGIONS[number % REGIONS.length] as string
      const languages = number % 2 === 0 ? ['de'] : ['en']
      await updateMemberAttributes(trx, team.id, hostId, { region, languages })
    }
  })
  const { id: eventTypeId } = await addEventType(db, team, { slug: 'call', assignment: 'round-robin' }, hosts)
  const options = (names: readonly string[]) => names.map((id) => ({ id, label: id }))
  const sizes = Array.from({ length: RULES }, (_, index) => `size-${index}`)
  return addForm(db, team, {
    slug: 'large',
    fields: [
      { id: 'size', label: 'Size', type: 'select', required: true, options: options(sizes) },
      { id: 'region', label: 'Region', type: 'select', required: true, options: options(REGIONS) },
      { id: 'email', label: 'Email', type: 'email', required: true, options: [] },
    ],
    rules: sizes.map((size) => ({
      when: {
        all: [
          { field: 'size', operator: 'equals', value: size },
          {
            any: [
              { field: 'email', operator: 'endsWith', value: '@example.com' },
              { all: [{ field: 'region', operator: 'isAnyOf', value: REGIONS }] },
            ],
          },
        ],
      },
      target: {
        action: 'routeToEvent',
        eventTypeId,
        hosts: {
          all: [
            { attribute: 'region', is: { answerOf: 'region' } },
            { attribute: 'languages', isAnyOf: ['de', 'fr'] },
          ],
        },
      },
    })),
  })
}

/** A form as it is stored, which nobody has parsed yet. */
const formRow = prepared((db, value: Placeholder<{ ownerId: string; slug: string }>) =>
  db
    .selectFrom('routing_forms')
    .selectAll()
    .where('scheduler_id', '=', value('ownerId'))
    .where('slug', '=', value('slug')),
)

const answersOf = (number: number) => ({
  size: `size-${number % RULES}`,
  // Every region has hosts who speak one of the languages.
  region: REGIONS[(number * 2) % REGIONS.length] as string,
  email: `guest-${number}@guests.example`,
})

/** How often this was done per second, so many at once. */
async function rateOf(seconds: number, once: (number: number) => Promise<unknown>): Promise<number> {
  let count = 0
  const began = performance.now()
  const end = began + seconds * 1000
  const work = async () => {
    while (performance.now() < end) await once(count++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return (count * 1000) / (performance.now() - began)
}

answerParent(async ({ folder, seconds }: { folder: string; seconds: number }): Promise<EvaluateFigures> => {
  const db = openDatabase(join(folder, 'punctual.sqlite'))
  await migrate(db)
  const form = await seed(db)
  const captcha = { altchaSecret: '', services: {} }
  const context = createContext({ ...quietContext, db, publicUrl: 'http://localhost', captcha })
  const evaluate = (dryRun: boolean) => async (number: number) => {
    const published = await getForm(context, 'team', 'large')
    const answers = answersOf(number)
    const result = await evaluateForm(context, published, { answers }, { dryRun, clientAddress: '127.0.0.1' })
    if (result.eventTypeSlug !== 'call') throw new Error(`led to ${JSON.stringify(result)}`)
  }
  const store = async (number: number) => {
    const createdAt = Date.now()
    const id = crypto.randomUUID()
    const result = { action: 'routeToEvent', eventTypeId: form.id } as const
    const response = { id, formId: form.id, answers: answersOf(number), result, route: null, createdAt }
    await db.transaction().execute(async (trx) => {
      await insertResponse(trx, response)
      const job = {
        kind: 'announce-response',
        lane: null,
        data: { responseId: id },
        dueAt: createdAt,
      } as const
      await insertJobs(trx, [job], createdAt)
    })
  }
  const read = async () => {
    const owner = await findSchedulerBySlug(db, 'team')
    if (owner === undefined) throw new Error('there is no team')
    await formRow(db, { ownerId: owner.id, slug: 'large' })
    await findBlockedEntries(db, [owner.id])
    await findDestinations(db, owner.id)
  }
  const figures = { recorded: 0, dryRun: 0, read: 0, stored: 0 }
  // The first round warms up.
  for (const length of [seconds / 2, seconds]) {
    figures.read = await rateOf(length, read)
    figures.dryRun = await rateOf(length, evaluate(true))
    figures.recorded = await rateOf(length, evaluate(false))
    figures.stored = await rateOf(length, store)
  }
  await db.destroy()
  return figures
})
