import { createRequire } from 'node:module'
import { lazily } from '../lazily.ts'

const require = createRequire(import.meta.url)
const addressparser = lazily(
  () => require('nodemailer/lib/addressparser') as typeof import('nodemailer/lib/addressparser').default,
)
const MimeNode = lazily(
  () => require('nodemailer/lib/mime-node') as typeof import('nodemailer/lib/mime-node').default,
)
const mimeFuncs = lazily(
  () => require('nodemailer/lib/mime-funcs') as typeof import('nodemailer/lib/mime-funcs'),
)

// It encodes, and holds nothing. Without a boundary here, one would be drawn from the system's randomness.
const encoder = lazily(() => new (MimeNode())('text/plain', { baseBoundary: 'none' }))

export interface Mailbox {
  readonly name: string
  readonly address: string
}

/** The first address in a text such as `Punctual <mail@book.example>`. */
export function parseMailbox(text: string): Mailbox {
  const [first] = addressparser()(text, { flatten: true })
  return { name: first?.name ?? '', address: first?.address ?? '' }
}

const LINE_LENGTH = 76

/** A line of the head, folded if it is long. Its value is already encoded. */
export function headerField(name: string, value: string): string {
  const line = `${name}: ${value}`
  return line.length < LINE_LENGTH ? line : mimeFuncs().foldLines(line, LINE_LENGTH)
}

// What Nodemailer would leave as it is: most texts, and looking is much faster than encoding.
const PLAIN_TEXT = /^[\x20\x21\x23-\x7e]*$/
const PLAIN_NAME = /^\w[\w ]*$/
const PLAIN_ADDRESS = /^[a-z\d_+-]+(?:\.[a-z\d_+-]+)*@(?:[a-z\d]+(?:-[a-z\d]+)*\.)*[a-z]{2,}$/

export function encodeText(text: string): string {
  return PLAIN_TEXT.test(text) ? text : encoder().encodeHeaderValue('Subject', text)
}

export function encodeMailbox({ name, address }: Mailbox): string {
  if (PLAIN_ADDRESS.test(address)) {
    if (name === '') return address
    if (PLAIN_NAME.test(name)) return `${name} <${address}>`
  }
  // An object is always one address; a text would be parsed as a list.
  return encoder().encodeHeaderValue('To', { name, address })
}

/** The address as mail servers want it: a domain of other letters in its ASCII form. */
export function wireAddress(address: string): string {
  if (PLAIN_ADDRESS.test(address)) return address
  return encodeMailbox({ name: '', address }).replace(/^<(.*)>$/s, '$1')
}
