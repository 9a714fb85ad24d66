import { createHash } from 'node:crypto'

/** The ETag of a view: equal views have equal tags. */
export function etagOf(view: unknown): string {
  return `"${createHash('sha256').update(JSON.stringify(view)).digest('base64url').slice(0, 22)}"`
}
