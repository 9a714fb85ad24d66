import type { Selectable } from 'kysely'
import type { Cursor, Page } from '../../domain/cursor.ts'
import { type Route, type RoutedResponse, routeToAll } from '../../domain/forms/route.ts'
import { type Answers, eventTypesOf, type RoutingForm, type Target } from '../../domain/forms/routing.ts'
import type { Db, Trx } from '../engine/database.ts'
import { pageById, pageByTimeDesc } from '../engine/paging.ts'
import { type Placeholder, prepared, preparedInsertAll } from '../engine/prepared.ts'
import type { Schema } from '../engine/schema.ts'
import { claimSlug, findMovedTarget, isFormerSlug } from '../people/old-slugs.ts'

/** A visitor's answers, and where they were routed. */
export interface FormResponse {
  readonly id: string
  readonly formId: string
  readonly answers: Answers
  readonly result: Target
  /** Set if it led to an event type. */
  readonly route: Route | null
  /** What was booked with it. */
  readonly bookingId: string | null
  readonly createdAt: number
}

/** The form at this slug. An old slug works until another form takes it. */
export async function findForm(db: Db, schedulerId: string, slug: string): Promise<RoutingForm | undefined> {
  const { rows } = await formBySlug(db, { schedulerId, slug })
  const [row] = rows
  if (row !== undefined) return formFromRow(row)
  const moved = await findMovedTarget(db, 'routing-form', schedulerId, slug)
  return moved === undefined ? undefined : findFormById(db, moved)
}

const formBySlug = prepared((db, value: Placeholder<{ schedulerId: string; slug: string }>) =>
  db
    .selectFrom('routing_forms')
    .selectAll()
    .where('scheduler_id', '=', value('schedulerId'))
    .where('slug', '=', value('slug')),
)

export async function findFormById(db: Db, id: string): Promise<RoutingForm | undefined> {
  const row = await db.selectFrom('routing_forms').selectAll().where('id', '=', id).executeTakeFirst()
  return row && formFromRow(row)
}

/** Whether one of the scheduler's forms has this slug now. */
export async function isFormSlugTaken(db: Db, schedulerId: string, slug: string): Promise<boolean> {
  const row = await db
    .selectFrom('routing_forms')
    .select('id')
    .where('scheduler_id', '=', schedulerId)
    .where('slug', '=', slug)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether one of the scheduler's forms has this slug now, or had it and can still be found by it. */
export const isFormSlugInUse = async (db: Db, schedulerId: string, slug: string): Promise<boolean> =>
  (await isFormSlugTaken(db, schedulerId, slug)) || isFormerSlug(db, 'routing-form', schedulerId, slug)

/** Forms of these schedulers, oldest first, after the one with id `after`. */
export async function findFormPage(
  db: Db,
  schedulerIds: readonly string[],
  page: Page,
): Promise<RoutingForm[]> {
  const rows = await db
    .selectFrom('routing_forms')
    .selectAll()
    .where('scheduler_id', 'in', schedulerIds)
    .$call(pageById(page))
    .execute()
  return rows.map(formFromRow)
}

/** All forms of a scheduler. */
export async function findFormsOf(db: Db, schedulerId: string): Promise<RoutingForm[]> {
  const rows = await db
    .selectFrom('routing_forms')
    .selectAll()
    .where('scheduler_id', '=', schedulerId)
    .orderBy('name')
    .execute()
  return rows.map(formFromRow)
}

/** Names of the forms that can route to this event type. */
export async function findFormsRoutingTo(db: Db, eventTypeId: string): Promise<string[]> {
  // A form only routes to event types of its owner.
  const rows = await db
    .selectFrom('routing_forms as f')
    .innerJoin('event_types as e', 'e.scheduler_id', 'f.scheduler_id')
    .selectAll('f')
    .where('e.id', '=', eventTypeId)
    .orderBy('f.name')
    .execute()
  return rows
    .map(formFromRow)
    .filter((form) => eventTypesOf(form).includes(eventTypeId))
    .map((form) => form.name)
}

export async function insertForm(db: Db, form: RoutingForm): Promise<void> {
  await db
    .insertInto('routing_forms')
    .values({ id: form.id, scheduler_id: form.schedulerId, ...toRow(form) })
    .execute()
  const { id: targetId, schedulerId: scope, slug } = form
  await claimSlug(db, { kind: 'routing-form', scope, slug, targetId })
}

export async function updateForm(trx: Trx, form: RoutingForm): Promise<void> {
  await trx.updateTable('routing_forms').set(toRow(form)).where('id', '=', form.id).execute()
}

/** The sealed secret that signs a form's lookups of owners. */
export async function findLookupSecret(db: Db, formId: string): Promise<string | undefined> {
  const { rows } = await lookupSecretOf(db, { formId })
  return rows[0]?.lookup_secret ?? undefined
}

const lookupSecretOf = prepared((db, value: Placeholder<{ formId: string }>) =>
  db.selectFrom('routing_forms').select('lookup_secret').where('id', '=', value('formId')),
)

export async function updateLookupSecret(db: Db, formId: string, sealed: string): Promise<void> {
  await db.updateTable('routing_forms').set({ lookup_secret: sealed }).where('id', '=', formId).execute()
}

/** Deletes a form and its responses. */
export async function deleteForm(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('routing_forms').where('id', '=', id).execute()
}

export type NewResponse = Omit<FormResponse, 'route' | 'bookingId'> & { readonly route?: Route | null }

export const insertResponse = (db: Db, response: NewResponse) => insertResponses(db, [response])

export async function insertResponses(db: Db, responses: readonly NewResponse[]): Promise<void> {
  await insertResponseRows(db, { rows: JSON.stringify(responses.map(responseRow)) })
}

function responseRow({ id, formId, answers, result, createdAt, route }: NewResponse) {
  const { hostIds, reason, detail } = route ?? { hostIds: null }
  return {
    id,
    form_id: formId,
    answers: JSON.stringify(answers),
    result: JSON.stringify(result),
    created_at: createdAt,
    route: hostIds && JSON.stringify({ hostIds, reason, detail }),
  }
}

const insertResponseRows = preparedInsertAll('routing_responses', [
  'id',
  'form_id',
  'answers',
  'result',
  'created_at',
  'route',
])

export async function countResponses(db: Db, formId: string): Promise<number> {
  const row = await db
    .selectFrom('routing_responses')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('form_id', '=', formId)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Responses to a form, newest first, after a cursor. */
export async function findResponses(db: Db, formId: string, page: Page<Cursor>): Promise<FormResponse[]> {
  const rows = await db
    .selectFrom('routing_responses')
    .selectAll()
    .where('form_id', '=', formId)
    .$call(pageByTimeDesc('created_at', page))
    .execute()
  return rows.map(responseFromRow)
}

export async function findResponse(db: Db, id: string): Promise<FormResponse | undefined> {
  const row = await db.selectFrom('routing_responses').selectAll().where('id', '=', id).executeTakeFirst()
  return row && responseFromRow(row)
}

/** The response that opens an event type, if it led to one. */
export async function findRoutedResponse(db: Db, id: string): Promise<RoutedResponse | undefined> {
  const { rows } = await byResponse(db, { id })
  return rows[0] && routedFromRow(rows[0])
}

const byResponse = prepared((db, value: Placeholder<{ id: string }>) =>
  db.selectFrom('routing_responses').selectAll().where('id', '=', value('id')),
)

export function routedFromRow(row: Selectable<Schema['routing_responses']>): RoutedResponse | undefined {
  const { id, formId, route, createdAt, bookingId } = responseFromRow(row)
  return route === null ? undefined : { id, formId, route, createdAt, bookingId }
}

function responseFromRow(row: Selectable<Schema['routing_responses']>): FormResponse {
  const result = JSON.parse(row.result) as Target
  const narrowed = row.route === null ? {} : (JSON.parse(row.route) as Partial<Route>)
  return {
    id: row.id,
    formId: row.form_id,
    answers: JSON.parse(row.answers),
    result,
    route: result.action === 'routeToEvent' ? { ...routeToAll(result.eventTypeId), ...narrowed } : null,
    bookingId: row.booking_id,
    createdAt: row.created_at,
  }
}

function toRow(form: RoutingForm) {
  return {
    slug: form.slug,
    name: form.name,
    description: form.description,
    fields: JSON.stringify(form.fields),
    rules: JSON.stringify(form.rules),
    fallback: JSON.stringify(form.fallback),
    abuse: JSON.stringify(form.abuse),
    tests: JSON.stringify(form.tests),
    keep_personal_data_days: form.keepPersonalDataDays,
  }
}

function formFromRow(row: Selectable<Schema['routing_forms']>): RoutingForm {
  return {
    id: row.id,
    schedulerId: row.scheduler_id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    fields: JSON.parse(row.fields),
    rules: JSON.parse(row.rules),
    fallback: JSON.parse(row.fallback),
    abuse: JSON.parse(row.abuse),
    tests: JSON.parse(row.tests),
    keepPersonalDataDays: row.keep_personal_data_days,
  }
}
