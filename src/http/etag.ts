import { createHash } from 'node:crypto'

/** A version of what an answer shows: the same view, the same tag. */
export function etagOf(view: unknown): string {
  return `"${createHash('sha256').update(JSON.stringify(view)).digest('base64url').slice(0, 22)}"`
}
