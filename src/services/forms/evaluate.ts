import type { Route } from '../../domain/forms/route.ts'
import {
  type Answers,
  checkFormAnswers,
  hasBlockedEmail,
  resultOf,
  type Target,
} from '../../domain/forms/routing.ts'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import { newId } from '../../store/new-id.ts'
import { checkCaptcha } from '../check-captcha.ts'
import type { Context } from '../context.ts'
import type { PublishedForm } from '../published-forms.ts'
import { recordTogether } from './record-responses.ts'
import { routeVisitor } from './route-visitor.ts'
import { routingToken } from './routing-token.ts'

/** The outcome of a routing form. Fields that don't apply to the action are null. */
interface RoutingResult {
  readonly action: 'routeToEvent' | 'redirect' | 'message'
  readonly eventTypeSlug: string | null
  readonly eventTypeName: string | null
  readonly redirectUrl: string | null
  readonly message: string | null
  /** Opens the event type for 24 hours and one booking. Left out unless the action is routeToEvent, and of dry runs. */
  readonly routingToken?: string
  /** The booking page, with the token. */
  readonly bookingUrl?: string
}

/** What a visitor sends. */
interface Submission {
  readonly answers: Answers
  readonly honeypotValue?: string
  readonly captchaToken?: string
}

/** Routes these answers, and records them with the outcome unless it is a dry run. */
export async function evaluateForm(
  context: Context,
  published: PublishedForm,
  { answers, honeypotValue = '', captchaToken = '' }: Submission,
  { dryRun, clientAddress }: { readonly dryRun: boolean; readonly clientAddress: string },
): Promise<RoutingResult> {
  const { form, scheduler, destinations } = published
  // First, so that a mistake does not use up the visitor's CAPTCHA solution.
  checkFormAnswers(form.fields, answers)
  if (form.abuse.honeypot && honeypotValue !== '') {
    throw new Problem(
      'honeypot_filled',
      sentence`These answers look automated. Leave the hidden field empty.`,
    )
  }
  // A form has no list of sites, so a challenge must be solved on one of our own pages.
  await checkCaptcha(context, { ...form, allowedOrigins: [] }, 'route', {
    token: captchaToken,
    clientAddress,
  })
  if (hasBlockedEmail(form.fields, answers, published.blocklist)) {
    // The sentence must not reveal that a blocklist exists.
    throw new Problem('email_blocked', sentence`These answers could not be accepted.`)
  }
  const { target, route: chosen } = await routeVisitor(context, published, { answers, dryRun })
  const eventType = chosen === null ? undefined : destinations.get(chosen.eventTypeId)
  const result: RoutingResult = {
    action: target.action,
    eventTypeSlug: eventType?.slug ?? null,
    eventTypeName: eventType?.name ?? null,
    redirectUrl: target.action === 'redirect' ? target.url : null,
    message: target.action === 'message' ? target.message : null,
  }
  if (dryRun) return result
  const responseId = await record(context, form.id, { answers, target, chosen })
  if (eventType === undefined) return result
  const token = routingToken(context, responseId)
  const bookingUrl = `${context.publicUrl}/${scheduler.slug}/${eventType.slug}?routing=${token}`
  return { ...result, routingToken: token, bookingUrl }
}

interface Outcome {
  readonly answers: Answers
  readonly target: Target
  readonly chosen: Route | null
}

/** Stores the answers with where they led, and announces them; returns the id of the response. */
async function record(
  context: Context,
  formId: string,
  { answers, target, chosen }: Outcome,
): Promise<string> {
  const createdAt = context.now()
  const response = { id: newId(), formId, answers, result: resultOf(target), route: chosen, createdAt }
  await recordTogether(context.db, response)
  context.outbox.wake()
  return response.id
}
