import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../domain/problem.ts'
import { sentence } from '../../domain/sentence.ts'
import type { VersionOf } from '../../services/change.ts'
import { etagOf } from '../etag.ts'

/** Sends a view with its version. */
export function sendVersioned<V>(reply: FastifyReply, view: V): V {
  reply.header('etag', etagOf(view))
  return view
}

/** Throws `changed_meanwhile` when the request was made for another version than this. */
export function checkVersion(request: Pick<FastifyRequest, 'headers'>, view: unknown): void {
  const wanted = request.headers['if-match']
  if (wanted === undefined || wanted.trim() === '*') return
  const tags = wanted.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (!tags.includes(etagOf(view))) {
    throw new Problem(
      'changed_meanwhile',
      sentence`This has changed since you loaded it. Reload it, then make your change again.`,
    )
  }
}

/** The version of `:id` that the request was made for, by what the client sees of it. */
export function versionIn<T>(
  request: Pick<FastifyRequest, 'headers'> & { readonly params: { readonly id: string } },
  view: (current: T) => unknown,
): VersionOf<T> {
  return { id: request.params.id, expect: (current) => checkVersion(request, view(current)) }
}
