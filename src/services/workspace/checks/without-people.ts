import { changeTexts, type Sentence } from '../../../domain/sentence.ts'
import { printableLine, shortened } from '../../../format/text/printable.ts'
import { withoutAddresses } from '../../../format/text/without-addresses.ts'

const LONGEST_ERROR = 300

/** Why something failed, for admins who may not know the guest. */
export const withoutPeople = (error: Sentence): Sentence => changeTexts(error, withoutMailboxes)

/** Mail servers quote mailboxes that they refuse, and some only the part before the @, in angle brackets. */
const withoutMailboxes = (text: string) =>
  shortened(
    printableLine(withoutAddresses(text)).replaceAll(/<(?:<address>|[^<>]*)>/g, '<address>'),
    LONGEST_ERROR,
  )
