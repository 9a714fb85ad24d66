import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../services/context.ts'
import type { Principal } from '../../services/people/sign-in/principal.ts'

const principals = new WeakMap<FastifyRequest, Principal>()

/** Remembers who sent this request; only the gate calls it, once. */
export function setPrincipal(request: FastifyRequest, principal: Principal): void {
  principals.set(request, principal)
}

/** Who sent this request. Only behind the gate. */
export function principalOf(request: FastifyRequest): Principal {
  const principal = principals.get(request)
  if (principal === undefined) throw new Error('This route is not behind the gate.')
  return principal
}

/** For routes that call another server while the client waits: `countOutside` limits them per user. */
export interface OutsideOptions {
  readonly context: Context
  readonly countOutside: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
}
