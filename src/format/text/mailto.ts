/** A link that writes to this address. Encoded, since `?` and `&` would add headers and `%` would hide them. */
export function mailtoOf(email: string): string {
  const at = email.lastIndexOf('@')
  const encoded = [email.slice(0, at), email.slice(at + 1)].map((part) =>
    encodeURIComponent(part.toWellFormed()),
  )
  return `mailto:${encoded.join('@')}`
}
