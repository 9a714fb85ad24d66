import { sentence } from '../../domain/sentence.ts'
import { insertUnsubscribed, isUnsubscribed } from '../../store/messages/unsubscribed.ts'
import { findScheduler } from '../../store/people/schedulers.ts'
import type { Context } from '../context.ts'
import { mailboxHash } from '../mailbox-hash.ts'
import { notFound } from '../people/access.ts'
import { seal, unseal } from '../seal.ts'

/** Why such a mail was not sent. */
export const UNSUBSCRIBED = sentence`They have unsubscribed from mail like this.`

const PURPOSE = 'unsubscribe'

type Keys = Pick<Context, 'jwtSecret' | 'publicUrl'>

/** The page where a reader ends such mail from this owner. Nobody can read the address from it. */
export function unsubscribeLink(context: Keys, schedulerId: string, address: string): string {
  const sealed = seal(context, PURPOSE, `${schedulerId} ${mailboxHash(address)}`)
  return `${context.publicUrl}/unsubscribe/${Buffer.from(sealed, 'base64').toString('base64url')}`
}

/** Lets mail programs unsubscribe with one click (RFC 8058). */
export const unsubscribeHeaders = (link: string) => ({
  'List-Unsubscribe': `<${link}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

export const wantsNoMail = ({ db }: Context, schedulerId: string, address: string): Promise<boolean> =>
  isUnsubscribed(db, schedulerId, mailboxHash(address))

/** Whose mail a link ends; throws `not_found` if it is none of ours. */
export async function readUnsubscribeLink(context: Context, token: string) {
  const bytes = Buffer.from(token, 'base64url')
  // Other spellings of the same bytes are not the link that we sent.
  const isExact = token !== '' && bytes.toString('base64url') === token
  const content = isExact ? unseal(context, PURPOSE, bytes.toString('base64')) : undefined
  const [schedulerId = '', addressHash = ''] = content?.split(' ') ?? []
  const scheduler = schedulerId === '' ? undefined : await findScheduler(context.db, schedulerId)
  if (scheduler === undefined) throw notFound()
  return { scheduler, addressHash }
}

/** Ends this owner's mail to a reader. Repeating it changes nothing. */
export async function unsubscribe(context: Context, token: string): Promise<void> {
  const { scheduler, addressHash } = await readUnsubscribeLink(context, token)
  await insertUnsubscribed(context.db, scheduler.id, addressHash, context.now())
}
