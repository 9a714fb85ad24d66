import { tellIn } from '../../domain/tell.ts'
import { html } from '../../format/text/html.ts'
import type { Mail } from '../../outside/mail/mail.ts'
import { findAnyConnection } from '../../store/calendars/connections.ts'
import { findUser } from '../../store/people/users.ts'
import type { Context } from '../context.ts'
import { languageOf } from './languages.ts'

/** The email about an account that must be connected again; undefined if it was, or is gone. */
export async function connectionLostMail(context: Context, connectionId: string): Promise<Mail | undefined> {
  const connection = await findAnyConnection(context.db, connectionId)
  if (connection?.status !== 'reconnect') return undefined
  const host = await findUser(context.db, connection.userId)
  if (host === undefined || host.disabledAt !== null) return undefined
  const { texts, tag } = languageOf(host.locale, host.germanAddress)
  const { subject, lead, button } = texts.connectionLost
  const { account, provider } = connection
  const gaps = { account, provider: context.kinds.titleOf(provider) }
  const tell = tellIn(tag)
  const what = tell(lead, gaps)
  const link = `${context.publicUrl}/app/calendars`
  return {
    to: host.email,
    subject: tell(subject, gaps),
    text: `${what}\n\n${link}\n`,
    html: html`<!doctype html><html lang="${tag}"><meta charset="utf-8"><title>${tell(subject, gaps)}</title><p>${what}</p><p><a href="${link}">${button}</a></p></html>`
      .html,
  }
}
