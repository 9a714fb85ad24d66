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

/** A message without the addresses in it: mail servers quote those that they refuse, and logs are kept by others. */
export const withoutAddresses = (message: string): string =>
  message.replaceAll(/[^\s<>()[\]"',;:@]+@[^\s<>()[\]"',;:@]+/g, '<address>')
