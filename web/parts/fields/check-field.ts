import { isEmail, isPhone, isWebAddress } from '../../../src/domain/people/contact.ts'
import type { Tell } from '../texts.tsx'
import type { FieldType } from './field.tsx'

const MOST_CHARACTERS = 5000

/** What is wrong with an answer, or undefined. The server checks again. */
export function checkField(
  tell: Tell,
  { type, required }: { readonly type: FieldType; readonly required: boolean },
  value: string | boolean | undefined,
  most = MOST_CHARACTERS,
): string | undefined {
  if (type === 'checkbox') return required && value !== true ? tell('isRequiredTick') : undefined
  const text = typeof value === 'string' ? value.trim() : ''
  if (text === '') return required ? tell('isRequired') : undefined
  if (text.length > most) return tell('isTooLong', { count: most })
  if (type === 'email' && !isEmail(text)) return tell('isNoEmail')
  if (type === 'phone' && !isPhone(text)) return tell('isNoPhone')
  if (type === 'url' && !isWebAddress(text)) return tell('isNoLink')
  if (type === 'number' && !Number.isFinite(Number(text))) return tell('isNoNumber')
  return undefined
}

/** Errors by field. */
export type FieldErrors = Readonly<Record<string, string>>

/** The errors shown, after a change to some fields: new ones wait for the next attempt to submit. */
export function stillShown(shown: FieldErrors, found: FieldErrors, isChanged: (field: string) => boolean) {
  const left = Object.keys(shown).map((field) => [field, isChanged(field) ? found[field] : shown[field]])
  return Object.fromEntries(left.filter(([, error]) => error !== undefined)) as FieldErrors
}
