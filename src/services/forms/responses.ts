import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Cursor, type PageRequest, readPage } from '../../domain/cursor.ts'
import { writeAnswer } from '../../domain/event-types/questions.ts'
import type { RoutingForm, Target } from '../../domain/forms/routing.ts'
import { formatInstant } from '../../domain/instant.ts'
import { csvLine } from '../../format/text/csv.ts'
import { findEventTypes } from '../../store/event-types/event-types.ts'
import { type FormResponse, findResponses } from '../../store/forms/forms.ts'
import type { Context } from '../context.ts'
import { requireAllBookings } from '../people/access.ts'
import type { Principal } from '../people/sign-in/principal.ts'
import { getOwnForm } from './forms.ts'

/** The responses to a form, newest first. */
export async function listResponses(
  context: Context,
  principal: Principal,
  formId: string,
  page: PageRequest,
): Promise<FormResponse[]> {
  const form = await getAnsweredForm(context, principal, formId)
  return findResponses(context.db, form.id, readPage(page))
}

/** A form whose responses the user may see. Most responses have no booking yet, so there is no host to whom they belong. */
async function getAnsweredForm({ db }: Context, principal: Principal, id: string): Promise<RoutingForm> {
  const form = await getOwnForm(db, principal, id)
  await requireAllBookings(db, principal, form.schedulerId)
  return form
}

interface ResponseExport {
  readonly form: RoutingForm
  /** CSV, a few hundred lines at a time. */
  readonly chunks: AsyncIterable<string>
}

/** Clients can send answers to fields that don't exist. Beyond this many, such answers share one column. */
const MAX_EXTRA_COLUMNS = 100

/**
 * All responses to a form as CSV, newest first, as of now.
 *
 * They are read twice, page by page: the first pass finds the columns for answers
 * to fields that the form doesn't have, or no longer has.
 */
export async function exportResponses(
  context: Context,
  principal: Principal,
  formId: string,
): Promise<ResponseExport> {
  const form = await getAnsweredForm(context, principal, formId)
  const [newest] = await findResponses(context.db, form.id, { limit: 1 })
  return { form, chunks: csvOf(context, form, newest) }
}

async function* csvOf(
  context: Context,
  form: RoutingForm,
  newest: FormResponse | undefined,
): AsyncGenerator<string> {
  const known = new Set(form.fields.map(({ id }) => id))
  const unknown = new Set<string>()
  for await (const page of pagesFrom(context, newest)) {
    for (const { answers } of page) {
      for (const id of Object.keys(answers)) {
        if (!known.has(id) && unknown.size <= MAX_EXTRA_COLUMNS) unknown.add(id)
      }
    }
    // A reader who has gone away ends it at a yield.
    yield ''
  }
  const extra = [...unknown].sort().slice(0, MAX_EXTRA_COLUMNS)
  const crowded = unknown.size > extra.length
  const eventTypes = await findEventTypes(context.db, form.schedulerId)
  const names = new Map(eventTypes.map(({ id, name }) => [id, name]))

  const columns = [...known, ...extra]
  const labels = new Map(
    form.fields.map(({ id, options }) => [id, new Map(options.map((option) => [option.id, option.label]))]),
  )
  // An option that the form no longer has keeps its id.
  const answerOf = (id: string, answer: unknown) => labels.get(id)?.get(answer as string) ?? textOf(answer)
  yield csvLine([
    ...form.fields.map(({ label }) => label),
    ...extra,
    ...(crowded ? ['other answers'] : []),
    'action',
    'target',
    'createdAt',
    'bookingId',
  ])
  const others = new Set(columns)
  const lineOf = ({ answers, result, createdAt, bookingId }: FormResponse) =>
    csvLine([
      ...columns.map((id) => (Object.hasOwn(answers, id) ? answerOf(id, answers[id]) : '')),
      ...(crowded ? [textOf(without(answers, others))] : []),
      result.action,
      targetOf(result, names),
      formatInstant(createdAt),
      bookingId ?? '',
    ])
  for await (const page of pagesFrom(context, newest)) yield page.map(lineOf).join('')
}

const PAGE = 200

/** This response and all older ones; newer ones are left out. */
async function* pagesFrom({ db }: Context, newest: FormResponse | undefined): AsyncGenerator<FormResponse[]> {
  if (newest === undefined) return
  let page = [newest]
  while (page.length > 0) {
    yield page
    // SQLite answers at once: without this, other requests would wait for the whole export.
    await nextTurn()
    const last = page.at(-1) as FormResponse
    const after: Cursor = { at: last.createdAt, id: last.id }
    page = await findResponses(db, newest.formId, { after, limit: PAGE })
  }
}

function textOf(answer: unknown): string {
  return answer === undefined || answer === null ? '' : writeAnswer(answer)
}

/** The answers without a column of their own; undefined if there are none. */
function without(answers: FormResponse['answers'], columns: ReadonlySet<string>) {
  const rest = Object.entries(answers).filter(([id]) => !columns.has(id))
  return rest.length === 0 ? undefined : Object.fromEntries(rest)
}

function targetOf(result: Target, eventTypeNames: ReadonlyMap<string, string>): string {
  switch (result.action) {
    case 'routeToEvent':
      return eventTypeNames.get(result.eventTypeId) ?? result.eventTypeId
    case 'redirect':
      return result.url
    case 'message':
      return result.message
  }
}
