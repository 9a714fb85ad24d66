import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Problem } from '../../domain/problem.ts'
import type { Context } from '../../services/context.ts'
import type { Principal } from '../../services/people/principal.ts'
import { etagOf } from '../etag.ts'

/** Of routes that have another server asked at once. */
export interface OutsideOptions {
  readonly context: Context
  readonly countOutside: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
}

const principals = new WeakMap<FastifyRequest, Principal>()

/** Remembers who this request is from; done once, by the gate. */
export function setPrincipal(request: FastifyRequest, principal: Principal): void {
  principals.set(request, principal)
}

/** Who this request is from. Only behind the gate. */
export function principalOf(request: FastifyRequest): Principal {
  const principal = principals.get(request)
  if (principal === undefined) throw new Error('This route is not behind the gate.')
  return principal
}

/** Sends a view with its version. */
export function sendVersioned<V>(reply: FastifyReply, view: V): V {
  reply.header('etag', etagOf(view))
  return view
}

/** Throws `changed_meanwhile` when the request was made for another version than this. */
export function checkVersion(request: FastifyRequest, view: unknown): void {
  const wanted = request.headers['if-match']
  if (wanted === undefined || wanted.trim() === '*') return
  const tags = wanted.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (!tags.includes(etagOf(view))) {
    throw new Problem(
      'changed_meanwhile',
      'This has been changed meanwhile. Load it again, and apply your change to that.',
    )
  }
}

/** The fields of `body` that a client may set; whatever else was sent is ignored. */
export function pick<T extends object>(body: T, allowed: { readonly properties: object }): T {
  return Object.fromEntries(
    Object.keys(allowed.properties)
      .filter((key) => Object.hasOwn(body, key))
      .map((key) => [key, body[key as keyof T]]),
  ) as T
}

export const IdPath = Type.Object({ id: Type.String() })

export const PageQuery = Type.Object({
  limit: Type.Optional(
    Type.String({ pattern: '^([1-9][0-9]?|100)$', description: '1 to 100; 50 by default.' }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 500, description: 'nextCursor of the page before.' })),
})

/** One page of a list: `nextCursor` is null on the last. */
export const pageOf = <T extends Type.TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), nextCursor: Type.Union([Type.String(), Type.Null()]) })

export const readLimit = (query: { limit?: string }) => Number(query.limit ?? 50)

/** Cuts a list that was read one longer than asked for into a page, with the cursor of its last item. */
export function toPage<T, V>(
  found: readonly T[],
  limit: number,
  keyOf: (item: T) => string,
  view: (item: T) => V,
) {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  const nextCursor = found.length > limit && last !== undefined ? keyOf(last) : null
  return { items: items.map(view), nextCursor }
}
