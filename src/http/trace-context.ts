/** Which trace a request belongs to, as its `traceparent` header says (W3C Trace Context). */
interface TraceContext {
  readonly traceId: string
  /** The span of the caller. */
  readonly parentId: string
  /** Whether the caller records this trace. */
  readonly sampled: boolean
}

// A later version may add fields behind these.
const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Reads a `traceparent` header; undefined if there is none, or it is not valid. */
export function readTraceparent(header: string | readonly string[] | undefined): TraceContext | undefined {
  if (typeof header !== 'string' || header.length > 200) return undefined
  const [, version, traceId, parentId, flags = '', more] = TRACEPARENT.exec(header) ?? []
  if (traceId === undefined || parentId === undefined) return undefined
  if (version === '00' && more !== undefined) return undefined
  return { traceId, parentId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
