import type { PageRequest } from '../../domain/cursor.ts'
import type { EventType } from '../../domain/event-types/event-type.ts'
import { type ExplainedRoute, explainRoute } from '../../domain/forms/explain.ts'
import { checkFilteredAttributes } from '../../domain/forms/form-attributes.ts'
import { checkFormTests } from '../../domain/forms/form-tests.ts'
import {
  type Answers,
  CHOOSE_EVENT_TYPE,
  canRouteTo,
  checkForm,
  FORM_DEFAULTS,
  type FormContent,
  fallbackOf,
  findAnswerProblem,
  lookupsIn,
  type RoutingForm,
  resultOf,
  type Target,
} from '../../domain/forms/routing.ts'
import type { RuleWarning } from '../../domain/forms/warnings.ts'
import { slugTaken } from '../../domain/people/slug.ts'
import { Problem } from '../../domain/problem.ts'
import { type Sentence, sentence } from '../../domain/sentence.ts'
import { RefusedAddress } from '../../outside/network/reachable-address.ts'
import type { Db, Trx } from '../../store/engine/database.ts'
import { findEventTypes } from '../../store/event-types/event-types.ts'
import {
  countResponses,
  deleteForm,
  findFormById,
  findFormPage,
  insertForm,
  isFormSlugTaken,
  updateForm,
} from '../../store/forms/forms.ts'
import { newId } from '../../store/new-id.ts'
import { findAttributes } from '../../store/people/attributes.ts'
import { moveSlug } from '../../store/people/old-slugs.ts'
import { change, changedFields, type VersionOf } from '../change.ts'
import { checkCaptchaKeys } from '../check-captcha.ts'
import type { Context } from '../context.ts'
import { getId, listedSchedulers, notFound, readIdPage, requireRole } from '../people/access.ts'
import type { Principal } from '../people/sign-in/principal.ts'
import { type ExplainedHosts, explainHosts } from './explain-hosts.ts'
import { addLookupSecret, setLookupSecret } from './lookup-secret.ts'
import { addWarnings, type WarnedForm, warn } from './warnings.ts'

/** Forms of the user and their teams, or of one of them. */
export async function listForms(
  context: Context,
  principal: Principal,
  ownerId: string | undefined,
  page: PageRequest,
): Promise<WarnedForm[]> {
  const owners = await listedSchedulers(context.db, principal, ownerId)
  return addWarnings(context, await findFormPage(context.db, owners, readIdPage(page)))
}

export async function getOwnForm(db: Db, principal: Principal, id: string): Promise<RoutingForm> {
  const form = await findFormById(db, getId(id))
  if (form === undefined) throw notFound()
  await requireRole(db, principal, form.schedulerId, 'member')
  return form
}

/** A form with its warnings. */
export async function getWarnedForm(context: Context, principal: Principal, id: string): Promise<WarnedForm> {
  const form = await getOwnForm(context.db, principal, id)
  return warn(form, await findEventTypes(context.db, form.schedulerId))
}

/** Where answers would lead, and why. `problem` says why a visitor could not send them. */
export interface TriedForm extends ExplainedRoute {
  readonly problem: Sentence | null
  /** Null unless the rule that matched chooses hosts. */
  readonly hosts: ExplainedHosts | null
  readonly warnings: readonly RuleWarning[]
}

const MATCHED = { matched: true, failed: null }

/** Tries answers on a saved form, for those who may change it. Nothing is recorded. */
export async function tryForm(
  context: Context,
  principal: Principal,
  id: string,
  answers: Answers,
): Promise<TriedForm> {
  const form = await getOwnForm(context.db, principal, id)
  await requireRole(context.db, principal, form.schedulerId, 'admin')
  const eventTypes = await findEventTypes(context.db, form.schedulerId)
  const routable = new Set(eventTypes.filter(canRouteTo).map((eventType) => eventType.id))
  const isRoutable = (eventTypeId: string) => routable.has(eventTypeId)
  const explained = explainRoute(form, answers, isRoutable)
  const hosts = await explainHosts(context, form, explained.target, answers)
  const fired = explained.rule
  const isLost = hosts !== null && hosts.leadsTo === 'nobody'
  return {
    ...explained,
    // What comes after the fallback is still the fallback.
    ...(isLost && { target: resultOf(fallbackOf(form, isRoutable)), rule: null }),
    ...(isLost &&
      fired !== null && { rules: explained.rules.with(fired, { ...MATCHED, reason: hosts.reason }) }),
    problem: findAnswerProblem(form.fields, answers) ?? null,
    hosts,
    warnings: warn(form, eventTypes).warnings,
  }
}

export async function createForm(
  context: Context,
  principal: Principal,
  ownerId: string,
  input: Partial<FormContent> & Pick<FormContent, 'slug' | 'name' | 'fallback'>,
): Promise<WarnedForm> {
  await requireRole(context.db, principal, getId(ownerId), 'admin')
  const content = checkForm({ ...FORM_DEFAULTS, ...input })
  checkCaptchaKeys(context, content)
  await checkLookups(context, content)
  const saved = await change(context, principal, getId(ownerId), async (trx) => {
    await requireRole(trx, principal, ownerId, 'admin')
    const form: RoutingForm = { ...content, id: newId(), schedulerId: ownerId }
    const eventTypes = await checkTargets(trx, form)
    await refuseTakenSlug(trx, form)
    await insertForm(trx, form)
    const lookupSecret = await addLookupSecret(context, trx, form)
    const audit = { ...about(form), action: 'created', changes: Object.keys(input) }
    return { result: { form, eventTypes, lookupSecret }, audit, affects: [ownerId] }
  })
  return { ...warn(saved.form, saved.eventTypes), lookupSecret: saved.lookupSecret }
}

export async function changeForm(
  context: Context,
  principal: Principal,
  { id, expect }: VersionOf<RoutingForm>,
  input: Partial<FormContent>,
): Promise<WarnedForm> {
  const known = await getOwnForm(context.db, principal, id)
  const { schedulerId } = known
  await requireRole(context.db, principal, schedulerId, 'admin')
  const wanted = checkForm({ ...known, ...input })
  checkCaptchaKeys(context, wanted, known)
  await checkLookups(context, wanted, known)
  const saved = await change(context, principal, schedulerId, async (trx) => {
    const before = await getOwnForm(trx, principal, id)
    await requireRole(trx, principal, schedulerId, 'admin')
    expect(before)
    const after: RoutingForm = { ...checkForm({ ...before, ...input }), id: before.id, schedulerId }
    const eventTypes = await checkTargets(trx, after)
    const isRenamed = after.slug !== before.slug
    if (isRenamed) await refuseTakenSlug(trx, after)
    await updateForm(trx, after)
    if (isRenamed) {
      await moveSlug(trx, {
        kind: 'routing-form',
        scope: schedulerId,
        targetId: after.id,
        from: before.slug,
        to: after.slug,
      })
    }
    const lookupSecret = await addLookupSecret(context, trx, after)
    const audit = { ...about(after), action: 'updated', changes: changedFields(before, after) }
    return { result: { form: after, eventTypes, lookupSecret }, audit, affects: [schedulerId] }
  })
  return { ...warn(saved.form, saved.eventTypes), lookupSecret: saved.lookupSecret }
}

/** Gives a form a new secret. The old one signs nothing from now on: a receiver that refuses costs no visitor. */
export async function rotateLookupSecret(
  context: Context,
  principal: Principal,
  id: string,
): Promise<string> {
  const { schedulerId } = await getOwnForm(context.db, principal, id)
  return change(context, principal, schedulerId, async (trx) => {
    await requireRole(trx, principal, schedulerId, 'admin')
    const secret = await setLookupSecret(context, trx, id)
    const audit = { ...about({ id, schedulerId }), action: 'updated', changes: ['lookupSecret'] }
    return { result: secret, audit, affects: [] }
  })
}

/** Deletes a form. If it has responses, that takes `force`, because they are deleted too. */
export async function removeForm(
  context: Context,
  principal: Principal,
  { id, expect }: VersionOf<RoutingForm>,
  { force }: { readonly force: boolean },
): Promise<void> {
  const { schedulerId } = await getOwnForm(context.db, principal, id)
  await change(context, principal, schedulerId, async (trx) => {
    const form = await getOwnForm(trx, principal, id)
    await requireRole(trx, principal, schedulerId, 'admin')
    expect(form)
    const responses = await countResponses(trx, form.id)
    if (responses > 0 && !force) {
      throw new Problem(
        'in_use',
        responses === 1
          ? sentence`This form has 1 response, which would be lost. Export them first; then delete it with force=true.`
          : sentence`This form has ${responses} responses, which would be lost. Export them first; then delete it with force=true.`,
      )
    }
    await deleteForm(trx, form.id)
    const audit = { ...about(form), action: 'deleted', changes: responses > 0 ? ['responses'] : [] }
    return { result: undefined, audit, affects: [schedulerId] }
  })
}

/**
 * A form may route only to its owner's event types, and its tests must pass. The answer must not
 * reveal whether someone else's exists. Returns the owner's event types.
 */
async function checkTargets(trx: Trx, form: RoutingForm): Promise<readonly EventType[]> {
  const eventTypes = await findEventTypes(trx, form.schedulerId)
  const own = new Set(eventTypes.map(({ id }) => id))
  const check = (target: Target, at: string) => {
    if (target.action !== 'routeToEvent' || own.has(target.eventTypeId)) return
    throw new Problem('invalid', CHOOSE_EVENT_TYPE, { field: `${at}.eventTypeId` })
  }
  for (const [index, { target }] of form.rules.entries()) check(target, `rules.${index}.target`)
  check(form.fallback, 'fallback')
  for (const [index, { expect }] of form.tests.entries()) check(expect, `tests.${index}.expect`)
  checkFilteredAttributes(form, await findAttributes(trx, form.schedulerId))
  checkFormTests(form, eventTypes)
  return eventTypes
}

/** Throws `invalid` if owners would be looked up where nothing may be sent. Not in a transaction: it asks for names. */
async function checkLookups(
  { webhooks }: Context,
  form: Pick<RoutingForm, 'rules' | 'fallback'>,
  known?: RoutingForm,
): Promise<void> {
  const before = new Set(known && lookupsIn(known).map(({ url }) => url))
  for (const { url, field } of lookupsIn(form)) {
    if (before.has(url)) continue
    before.add(url)
    try {
      await webhooks.check(url)
    } catch (error) {
      if (!(error instanceof RefusedAddress)) throw error
      throw new Problem('invalid', error.sentence, { cause: error, field })
    }
  }
}

async function refuseTakenSlug(trx: Trx, { schedulerId, slug }: RoutingForm): Promise<void> {
  if (await isFormSlugTaken(trx, schedulerId, slug)) {
    throw slugTaken(slug)
  }
}

const about = ({ id, schedulerId }: Pick<RoutingForm, 'id' | 'schedulerId'>) => ({
  schedulerId,
  objectType: 'routing-form',
  objectId: id,
})
