import { isLine } from '../text.ts'

const EMAIL = /^[^\s@"(),:;<>[\]\\]+@[^\s@"(),:;<>[\]\\]+$/u
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u

/** Does it look like an address that mail could be sent to? */
export function isEmail(text: string): boolean {
  if (text.length > 254 || !isLine(text) || !EMAIL.test(text)) return false
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  if (local.length > 64 || local.startsWith('.') || local.endsWith('.') || local.includes('..')) return false
  const labels = text.slice(at + 1).split('.')
  return labels.length >= 2 && labels.every((label) => LABEL.test(label))
}

/** The spelling under which two addresses are the same person's. */
export function canonicalEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}

/** Does it look like a telephone number? Between 5 and 20 digits, in the usual punctuation. */
export function isPhone(text: string): boolean {
  if (text.length > 40 || !isLine(text) || !/^\+?[\d\s().\-/]+(?:\s*(?:x|ext\.?|#)\s*\d{1,6})?$/i.test(text))
    return false
  const digits = text.replace(/\D/g, '').length
  return digits >= 5 && digits <= 20
}

/** Is it an absolute http or https address? */
export function isWebAddress(text: string): boolean {
  if (text.length > 2000 || !isLine(text) || !/^https?:\/\//i.test(text)) return false
  return URL.canParse(text)
}
