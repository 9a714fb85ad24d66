/** A message without the addresses in it: mail servers quote those that they refuse, and logs are kept by others. */
export const withoutAddresses = (message: string): string =>
  message.replaceAll(/(?:"[^"]*"|[^\s<>()[\]"',;:@]+)@[^\s<>()[\]"',;:@]+/g, '<address>')
