import { html } from '../../format/html.ts'
import { unlinked } from '../../format/printable.ts'
import type { Mail } from '../../outside/mail.ts'

/** The invitation mail. Its link holds no token: the reader still has to sign in. */
export function invitationMail(
  to: string,
  { link, ...names }: { readonly inviter: string; readonly team?: string; readonly link: string },
): Mail {
  // Where anyone may sign up, the names are a stranger's words to someone who never heard of us.
  const inviter = unlinked(names.inviter)
  const team = names.team === undefined ? undefined : unlinked(names.team)
  const what = team === undefined ? 'Punctual' : `the team ${team} on Punctual`
  const how = `Sign in with this email address, ${to}, within 14 days. If you do not want to, ignore this email.`
  return {
    to,
    subject: team === undefined ? 'You are invited to Punctual' : `You are invited to ${team}`,
    text: `${inviter} invites you to ${what}.\n\n${link}\n\n${how}\n`,
    html: html`<p>${inviter} invites you to ${what}.</p><p><a href="${link}">Open the sign-in page</a></p><p>${how}</p>`
      .html,
  }
}
