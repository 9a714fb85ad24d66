import type { Selectable } from 'kysely'
import type { Answers, RoutingForm, Target } from '../domain/routing.ts'
import type { Db } from './database.ts'
import type { Schema } from './schema.ts'

export async function findForm(db: Db, schedulerId: string, slug: string): Promise<RoutingForm | undefined> {
  const row = await db
    .selectFrom('routing_forms')
    .selectAll()
    .where('scheduler_id', '=', schedulerId)
    .where('slug', '=', slug)
    .executeTakeFirst()
  return row && fromRow(row)
}

export async function insertForm(db: Db, form: RoutingForm): Promise<void> {
  await db
    .insertInto('routing_forms')
    .values({
      id: form.id,
      scheduler_id: form.schedulerId,
      slug: form.slug,
      name: form.name,
      description: form.description,
      fields: JSON.stringify(form.fields),
      rules: JSON.stringify(form.rules),
      fallback: JSON.stringify(form.fallback),
    })
    .execute()
}

/** Records what a visitor answered and where it led. */
export async function insertResponse(
  db: Db,
  response: {
    readonly id: string
    readonly formId: string
    readonly answers: Answers
    readonly result: Target
    readonly createdAt: number
  },
): Promise<void> {
  await db
    .insertInto('routing_responses')
    .values({
      id: response.id,
      form_id: response.formId,
      answers: JSON.stringify(response.answers),
      result: JSON.stringify(response.result),
      created_at: response.createdAt,
    })
    .execute()
}

function fromRow(row: Selectable<Schema['routing_forms']>): RoutingForm {
  return {
    id: row.id,
    schedulerId: row.scheduler_id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    fields: JSON.parse(row.fields),
    rules: JSON.parse(row.rules),
    fallback: JSON.parse(row.fallback),
  }
}
