import { Problem } from '../problem.ts'

/** Where a page may be shown in a frame: on pages of these origins, or of any. */
export type Framers = readonly string[] | 'everyone'

interface Framed {
  /** Empty: everywhere. */
  readonly allowedOrigins: readonly string[]
}

const MAX_ORIGINS = 50

// Narrower than what a URL may be: these stand in a header, where a semicolon would begin something new.
const ORIGIN = /^https?:\/\/(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:]+\])(?::\d{1,5})?$/
const LOOPBACK = /^http:\/\/(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/

/** Throws `invalid` with the reason unless all of these are origins, each once, as a browser writes them. */
export function checkAllowedOrigins(origins: readonly string[]): void {
  const refuse = (reason: string, field = 'allowedOrigins') => {
    throw new Problem('invalid', reason, { field })
  }
  if (origins.length > MAX_ORIGINS) refuse(`There can be at most ${MAX_ORIGINS} sites.`)
  for (const [index, text] of origins.entries()) {
    const field = `allowedOrigins.${index}`
    const { origin = '' } = URL.parse(text) ?? {}
    if (!ORIGIN.test(origin)) refuse(`"${text}" is not a site such as https://www.example.com.`, field)
    if (origin !== text) refuse(`Write "${text}" as ${origin}.`, field)
    if (!text.startsWith('https:') && !LOOPBACK.test(text)) {
      refuse(`"${text}" must begin with https://. Only this machine itself can use http://.`, field)
    }
    if (origins.indexOf(text) < index) refuse(`"${text}" is listed twice.`, field)
  }
}

/**
 * Where a page that leads to all of these may be framed: where each of them may.
 *
 * What it leads to is shown in the same frame, so it would end before a closed door elsewhere.
 */
export function framersOf(eventTypes: readonly Framed[]): Framers {
  const lists = eventTypes.map(({ allowedOrigins }) => allowedOrigins).filter(({ length }) => length > 0)
  const [first, ...others] = lists
  if (first === undefined) return 'everyone'
  return first.filter((origin) => others.every((list) => list.includes(origin)))
}
