import type { IncomingHttpHeaders } from 'node:http'
import { nothingThere } from '../../problems.ts'

/** The versions of their interface, oldest first. A request without one, or with one that there never was, gets the oldest. */
export const VERSIONS = [
  '2024-04-15',
  '2024-06-11',
  '2024-06-14',
  '2024-08-13',
  '2024-09-04',
  '2026-02-25',
  '2026-05-01',
] as const

export type Version = (typeof VERSIONS)[number]

export const VERSION_HEADER = 'cal-api-version'

export function versionOf({ headers }: { readonly headers: IncomingHttpHeaders }): Version {
  const given = headers[VERSION_HEADER]
  return VERSIONS.find((version) => version === given) ?? '2024-04-15'
}

/** Whether a request asks for this version, or a later one. */
export const isSince = (request: { readonly headers: IncomingHttpHeaders }, version: Version): boolean =>
  versionOf(request) >= version

/** Throws `not_found` where a path does not exist in the version that is asked for. */
export function requireSince(request: { readonly headers: IncomingHttpHeaders }, version: Version): void {
  if (!isSince(request, version)) throw nothingThere()
}
