import type { FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { type BookableEventType, noSuchEventType } from '../../../domain/bookings/bookable.ts'
import type { Scope } from '../../../domain/people/user.ts'
import { invalidField, Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { findUnstorable, unstorable } from '../../../domain/text.ts'
import type { Context } from '../../../services/context.ts'
import { getEventType } from '../../../services/event-types/event-types.ts'
import { authenticate, type Principal, requireScope } from '../../../services/people/sign-in/principal.ts'
import { bearerOf } from '../../gate.ts'
import { describeInvalid } from '../../validation.ts'

/** Who sends a request: throws `unauthenticated` without a valid token. */
export async function requirePrincipal(
  context: Context,
  request: FastifyRequest,
  scope: Scope = request.method === 'GET' ? 'read' : 'write',
): Promise<Principal> {
  const principal = await authenticate(context, bearerOf(request))
  requireScope(principal, scope)
  return principal
}

/** The same where no token is needed: one that is not valid is refused all the same. */
export async function findPrincipal(
  context: Context,
  request: FastifyRequest,
  scope?: Scope,
): Promise<Principal | undefined> {
  if (request.headers.authorization === undefined) return undefined
  return requirePrincipal(context, request, scope)
}

/** The body, by the schema of the version that is asked for. Unknown fields are ignored. */
export function bodyOf<T extends TSchema>(request: FastifyRequest, schema: T): Static<T> {
  const body = request.body ?? {}
  const reason = findUnstorable(body)
  if (reason !== undefined) throw new Problem('invalid', unstorable(reason, sentence`The body`))
  const validate = request.compileValidationSchema(schema)
  if (!validate(body)) throw describeInvalid(validate.errors ?? [], 'body')
  return body as Static<T>
}

export type Query = Readonly<Record<string, string | readonly string[] | undefined>>

/** What a query says once, or the first time. */
export function textIn(query: Query, name: string): string | undefined {
  const value = [query[name]].flat()[0]
  return value === '' ? undefined : value
}

/** All that a query says, repeated or with commas between them. */
export const listIn = (query: Query, ...names: readonly string[]): string[] =>
  names
    .flatMap((name) => [query[name] ?? []].flat())
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '')

/** A whole number in a query; throws `invalid` if it is none. */
export function numberIn(query: Query, name: string, least: number, most: number): number | undefined {
  const text = textIn(query, name)
  if (text === undefined) return undefined
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  throw invalidField(name, sentence`{field} must be a whole number from ${least} to ${most}.`)
}

/** Reads a time with any offset; a bare date is midnight in UTC. Throws `invalid`. */
export function instantIn(field: string, text: string): number {
  const instant = parseTime(text)
  if (instant === undefined) {
    throw invalidField(field, sentence`{field} must be a UTC instant such as 2030-01-31T09:30:00Z.`)
  }
  return instant
}

const BARE_DATE = /^\d{4}-\d\d-\d\d$/
/** Without an offset it is UTC, as their server reads it. */
const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/

export const isBareDate = (text: string) => BARE_DATE.test(text)

function parseTime(text: string): number | undefined {
  if (text.length > 40) return undefined
  const whole = BARE_DATE.test(text) ? `${text}T00:00:00Z` : LOCAL_TIME.test(text) ? `${text}Z` : text
  try {
    return Temporal.Instant.from(whole).epochMilliseconds
  } catch {
    return undefined
  }
}

/** How requests name an event type. */
export interface EventTypeName {
  readonly eventTypeId?: number | undefined
  readonly eventTypeSlug?: string | undefined
  readonly username?: string | undefined
  readonly teamSlug?: string | undefined
}

/** The event type that a request is about; throws `invalid` if it names none, and `not_found`. */
export async function findBookable(context: Context, name: EventTypeName): Promise<BookableEventType> {
  const { eventTypeId, eventTypeSlug, username, teamSlug } = name
  if (eventTypeId !== undefined) {
    const id = await context.numbers.idOf('event-type', eventTypeId)
    if (id === undefined) throw noSuchEventType()
    return context.slots.getOne(id)
  }
  const owner = username ?? teamSlug
  if (eventTypeSlug === undefined || owner === undefined) {
    throw invalidField('eventTypeId', sentence`{field} is required.`)
  }
  return context.slots.getBookable(owner.toLowerCase(), eventTypeSlug.toLowerCase())
}

/** Whether this is one of the people whose event type it is. */
export async function isOwn(
  { db }: Context,
  principal: Principal | undefined,
  eventTypeId: string,
): Promise<boolean> {
  if (principal === undefined) return false
  return getEventType(db, principal, eventTypeId).then(
    () => true,
    (error) => {
      if (error instanceof Problem) return false
      throw error
    },
  )
}
