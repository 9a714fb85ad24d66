const SAYS_UTC = /(?:z|\+00(?::?00)?)$/i

/** Reads an ISO 8601 instant in UTC (`Z` or `+00:00`); undefined for anything else. */
export function parseInstant(text: string): number | undefined {
  if (text.length > 40 || !SAYS_UTC.test(text)) return undefined
  try {
    const { epochMilliseconds, epochNanoseconds } = Temporal.Instant.from(text)
    // No slot starts within a millisecond, so a finer instant must not be rounded to one that does.
    return epochNanoseconds % 1_000_000n === 0n ? epochMilliseconds : epochMilliseconds + 0.5
  } catch {
    return undefined
  }
}

/** Writes `YYYY-MM-DDTHH:MM:SSZ`, the format of all instants in answers. */
export function formatInstant(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`
}
