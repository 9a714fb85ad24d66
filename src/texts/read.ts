import { createRequire } from 'node:module'
import type { Language, Wording } from '../domain/languages.ts'
import {
  type Cities,
  type CodeMails,
  type Labels,
  type MailTexts,
  type NoticeTexts,
  type Part,
  type Refusals,
  type ServerPages,
  withPart,
} from './catalogue.ts'

const require = createRequire(import.meta.url)

/** What the server says, each in a file of its own in the folder of a language. */
interface Files {
  readonly cities: Cities
  readonly 'code-mails': CodeMails
  readonly labels: Labels
  readonly mail: MailTexts
  readonly notices: NoticeTexts
  readonly refusals: Refusals
  readonly 'server-pages': ServerPages
}

/** Those that German says in two ways. */
type WithDu = 'code-mails' | 'mail'

/** Texts in a language, read when they are first asked for. English refuses with the patterns themselves. */
export const readTexts = <File extends keyof Files>(
  language: File extends 'refusals' ? Exclude<Language, 'en'> : Language,
  file: File,
): Files[File] => read(language, file)

/** Texts in a language that may address the reader in either way. */
export function readWording<File extends WithDu>(wording: Wording, file: File): Files[File] {
  if (wording !== 'de-du') return read(wording, file)
  return withPart<Files[File]>(read('de', file), read<Part<Files[File]>>('de-du', file))
}

const read = <Read>(wording: Wording, file: string): Read =>
  (require(`./${wording}/${file}.ts`) as { readonly default: Read }).default
