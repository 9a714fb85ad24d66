import type { Mail } from '../../outside/mail.ts'

/** The mail with the sign-in link. Opening the link changes nothing; the button on its page signs in. */
export function signInMail(to: string, link: string): Mail {
  return {
    to,
    subject: 'Your sign-in link',
    text: `Sign in to Punctual:\n\n${link}\n\nThe link works once, for 15 minutes. If you did not ask for it, ignore this mail.\n`,
    html: `<p>Sign in to Punctual:</p><p><a href="${link}">Open the sign-in page</a></p><p>The link works once, for 15 minutes. If you did not ask for it, ignore this mail.</p>`,
  }
}
