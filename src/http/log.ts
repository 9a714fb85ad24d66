/**
 * The parts of an error that may be logged. A database quotes the row in its
 * `detail`, which contains personal data.
 */
export function describeError(error: Error & { code?: string; constraint?: string; table?: string }) {
  const { name, message, stack = '', code, constraint, table } = error
  return {
    type: name,
    message,
    stack,
    ...(code && { code }),
    ...(constraint && { constraint }),
    ...(table && { table }),
  }
}
