/**
 * What a log may say of an error: never the row that a database quotes in its
 * `detail`, since that row is somebody's name and address.
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
