import { routerAnswers } from '../../domain/imports/router-answers.ts'
import { isSlug } from '../../domain/people/slug.ts'
import { Problem } from '../../domain/problem.ts'
import { findEventType, findEventTypeById } from '../../store/event-types/event-types.ts'
import { findFormById } from '../../store/forms/forms.ts'
import { findOldBookingId, findOldTargets, type OldTarget } from '../../store/imports/old-links.ts'
import { findScheduler, findSchedulerBySlug } from '../../store/people/schedulers.ts'
import { manageToken } from '../bookings/guest/manage-link.ts'
import type { Context } from '../context.ts'
import { evaluateForm } from '../forms/evaluate.ts'
import { type PublishedForm, publish } from '../published-forms.ts'

/** Longer than any path or id there. */
const LONGEST = 500

/** Whether something can have been called that; what a database can't store never was. */
const canBe = (name: string) =>
  name !== '' && name.length <= LONGEST && name.isWellFormed() && !/\p{Cc}/u.test(name)

/** The path of the page that an address of the service before leads to; undefined if it is none. */
export async function findNewPath(context: Context, oldPath: string): Promise<string | undefined> {
  if (!canBe(oldPath)) return undefined
  const path = plainPath(oldPath)
  // Of an organization, there is this instance alone.
  const within = /^\/org\/[^/]+(\/.+)$/.exec(path)?.[1]
  const paths = [path, ...(within === undefined ? [] : [within])]
  const parents = paths.map((one) => one.slice(0, one.lastIndexOf('/'))).filter((one) => one !== '')
  const targets = await findOldTargets(context.db, [...new Set([...paths, ...parents])])
  for (const one of paths) {
    const found = targets.get(one)
    if (found !== undefined) return pathOf(context, found)
  }
  for (const parent of parents) {
    const owner = targets.get(parent)
    const path = owner && (await pathOfEvent(context, owner, paths[0] as string))
    if (path !== undefined) return path
  }
  const ofTeam = /^\/team(\/([^/]+).*)$/.exec(within ?? path)
  // A team that was made here may have the name that an imported one had there.
  if (ofTeam !== null && !targets.has(`/team/${ofTeam[2]}`)) {
    return pathOfPage(context, ofTeam[1] as string, 'team')
  }
  return within === undefined ? undefined : pathOfPage(context, within)
}

/** One spelling of a path for all that lead to the same page. */
function plainPath(path: string): string {
  const plain = path.toLowerCase().replace(/\/+$/, '')
  return plain.replace(/^\/apps\/routing-forms\/routing-link\//, '/forms/')
}

async function pathOf({ db }: Context, { kind, objectId }: OldTarget): Promise<string | undefined> {
  if (kind === 'user' || kind === 'team') {
    const scheduler = await findScheduler(db, objectId)
    return scheduler && `/${scheduler.slug}`
  }
  const thing = kind === 'form' ? await findFormById(db, objectId) : await findEventTypeById(db, objectId)
  const owner = thing && (await findScheduler(db, thing.schedulerId))
  if (owner === undefined) return undefined
  return kind === 'form' ? `/${owner.slug}/forms/${thing?.slug}` : `/${owner.slug}/${thing?.slug}`
}

/** The event type that a person or team whose old path is known has under this slug. */
async function pathOfEvent(
  { db }: Context,
  { kind, objectId }: OldTarget,
  path: string,
): Promise<string | undefined> {
  const slug = path.slice(path.lastIndexOf('/') + 1)
  if ((kind !== 'user' && kind !== 'team') || !isSlug(slug)) return undefined
  const [owner, eventType] = [await findScheduler(db, objectId), await findEventType(db, objectId, slug)]
  return owner && eventType && `/${owner.slug}/${eventType.slug}`
}

/** The page of a person or team here, or of one of their event types, at its path without what stood before it there. */
async function pathOfPage({ db }: Context, path: string, kind?: 'team'): Promise<string | undefined> {
  const [userSlug = '', eventSlug, ...more] = path.slice(1).split('/')
  if (more.length > 0 || !isSlug(userSlug)) return undefined
  const owner = await findSchedulerBySlug(db, userSlug)
  if (owner === undefined || (kind !== undefined && owner.kind !== kind)) return undefined
  if (eventSlug === undefined) return `/${owner.slug}`
  const eventType = isSlug(eventSlug) ? await findEventType(db, owner.id, eventSlug) : undefined
  return eventType && `/${owner.slug}/${eventType.slug}`
}

/** What opens the booking that had this id in addresses of the service before. Who has it may cancel and move, as there. */
export async function findOldBooking(
  context: Context,
  uid: string,
  seatUid?: string,
): Promise<{ readonly id: string; readonly token: string } | undefined> {
  // A seat's own id says more than that of its meeting.
  const asked = seatUid === undefined || seatUid === '' ? uid : seatUid
  if (!canBe(asked)) return undefined
  const id = await findOldBookingId(context.db, asked)
  return typeof id === 'string' ? { id, token: manageToken(context, id) } : undefined
}

/** The form that had this id. */
export async function findOldForm({ db }: Context, id: string): Promise<PublishedForm | undefined> {
  if (!canBe(id)) return undefined
  const path = `/forms/${id.toLowerCase()}`
  const target = (await findOldTargets(db, [path])).get(path)
  const form = target?.kind === 'form' ? await findFormById(db, target.objectId) : undefined
  const scheduler = form && (await findScheduler(db, form.schedulerId))
  return form && scheduler && publish(db, scheduler, form)
}

/** Where a form leads with these answers. */
export type Routed =
  | { readonly kind: 'booking'; readonly path: string }
  | { readonly kind: 'elsewhere'; readonly url: string }
  | { readonly kind: 'message'; readonly message: string }
  /** The visitor has to answer first: something is missing, or a CAPTCHA is asked for. */
  | { readonly kind: 'form'; readonly path: string }

/** Answers a form by an address alone, as the router there does. */
export async function routeOldForm(
  context: Context,
  published: PublishedForm,
  query: readonly (readonly [string, string])[],
  asked: { readonly dryRun: boolean; readonly clientAddress: string },
): Promise<Routed> {
  const { form, scheduler } = published
  const answers = routerAnswers(form.fields, query)
  try {
    const { redirectUrl, message, eventTypeSlug, routingToken } = await evaluateForm(
      context,
      published,
      { answers },
      asked,
    )
    if (redirectUrl !== null) return { kind: 'elsewhere', url: redirectUrl }
    if (eventTypeSlug === null) return { kind: 'message', message: message ?? '' }
    const token = routingToken === undefined ? '' : `?routing=${routingToken}`
    return { kind: 'booking', path: `/${scheduler.slug}/${eventTypeSlug}${token}` }
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'unavailable') throw error
    return { kind: 'form', path: `/${scheduler.slug}/forms/${form.slug}` }
  }
}
