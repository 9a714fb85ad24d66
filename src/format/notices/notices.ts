import type { Language } from '../../domain/languages.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import { pt } from './pt.ts'
import type { NoticeTexts } from './texts.ts'

/** The mails from the service itself in every language. German addresses nobody, so nobody must choose du or Sie. */
export const NOTICES: Readonly<Record<Language, NoticeTexts>> = { en, de, es, fr, pt, ja }
