const SAYS_UTC = /(?:z|\+00(?::?00)?)$/i

/** Reads an ISO 8601 instant that says it is UTC; undefined for anything else. */
export function parseInstant(text: string): number | undefined {
  if (text.length > 40 || !SAYS_UTC.test(text)) return undefined
  try {
    const { epochMilliseconds, epochNanoseconds } = Temporal.Instant.from(text)
    // A fraction below the millisecond is never a slot, and must not be rounded into one.
    return epochNanoseconds % 1_000_000n === 0n ? epochMilliseconds : epochMilliseconds + 0.5
  } catch {
    return undefined
  }
}

/** `YYYY-MM-DDTHH:MM:SSZ`, the one shape in which instants leave. */
export function formatInstant(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`
}
