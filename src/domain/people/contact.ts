import { isLine } from '../text.ts'

const EMAIL = /^[^\s@"(),:;<>[\]\\]+@[^\s@"(),:;<>[\]\\]+$/u
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u

/** Whether it looks like an email address. */
export function isEmail(text: string): boolean {
  if (text.length > 254 || !isLine(text) || !EMAIL.test(text)) return false
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  if (local.length > 64 || local.startsWith('.') || local.endsWith('.') || local.includes('..')) return false
  const labels = text.slice(at + 1).split('.')
  return labels.length >= 2 && labels.every((label) => LABEL.test(label))
}

/** The form in which equal addresses compare equal. */
export function canonicalEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}

/** Whether it looks like a phone number: 5 to 20 digits with the usual punctuation. */
export function isPhone(text: string): boolean {
  if (text.length > 40 || !isLine(text) || !/^\+?[\d\s().\-/]+(?:\s*(?:x|ext\.?|#)\s*\d{1,6})?$/i.test(text))
    return false
  const digits = text.replace(/\D/g, '').length
  return digits >= 5 && digits <= 20
}

/** Whether it is an absolute http or https URL. */
export function isWebAddress(text: string): boolean {
  if (text.length > 2000 || !isLine(text) || !/^https?:\/\//i.test(text)) return false
  return URL.canParse(text)
}
