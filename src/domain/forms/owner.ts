import { canonicalEmail } from '../people/contact.ts'
import { invalidField } from '../problem.ts'
import { sentence } from '../sentence.ts'

export const OWNER_MATCHES = ['email', 'domain'] as const

/** Sends guests back to the host whom they, or others of their company, have met. */
export interface OwnerRule {
  /** How long ago the meeting may have started. */
  readonly days: number
  /** `email`: the guest's own meetings; `domain`: also those of others at the same domain. */
  readonly by: (typeof OWNER_MATCHES)[number]
}

const MAX_DAYS = 3650

/** Throws `invalid` unless this is such a rule. Returns it without unknown properties. */
export function checkOwnerRule(given: unknown, at: string): OwnerRule {
  const { days, by } = (typeof given === 'object' && given !== null ? given : {}) as Record<string, unknown>
  if (typeof days !== 'number' || !Number.isInteger(days) || days < 1 || days > MAX_DAYS) {
    throw invalidField(
      `${at}.days`,
      sentence`{field} must be a whole number of days from ${1} to ${MAX_DAYS}.`,
    )
  }
  const match = OWNER_MATCHES.find((one) => one === by)
  if (match === undefined) throw invalidField(`${at}.by`, sentence`{field} must be one of ${OWNER_MATCHES}.`)
  return { days, by: match }
}

/** The domain that an address shares with colleagues; undefined for one that it shares with strangers. */
export function companyDomain(email: string): string | undefined {
  const canonical = canonicalEmail(email)
  const domain = canonical.slice(canonical.lastIndexOf('@') + 1)
  return FREE_MAIL.has(domain) ? undefined : domain
}

/** Where anyone can get an address, so that sharing the domain means nothing. */
const FREE_MAIL: ReadonlySet<string> = new Set([
  '126.com',
  '163.com',
  'aim.com',
  'aol.com',
  'att.net',
  'bigpond.com',
  'bluewin.ch',
  'bol.com.br',
  'btinternet.com',
  'centrum.cz',
  'charter.net',
  'comcast.net',
  'cox.net',
  'daum.net',
  'docomo.ne.jp',
  'duck.com',
  'ezweb.ne.jp',
  'fastmail.com',
  'fastmail.fm',
  'free.fr',
  'freemail.hu',
  'freenet.de',
  'gmail.com',
  'gmx.at',
  'gmx.ch',
  'gmx.com',
  'gmx.de',
  'gmx.net',
  'googlemail.com',
  'hanmail.net',
  'hey.com',
  'hotmail.co.uk',
  'hotmail.com',
  'hotmail.de',
  'hotmail.es',
  'hotmail.fr',
  'hotmail.it',
  'hushmail.com',
  'icloud.com',
  'inbox.com',
  'inbox.lv',
  'interia.pl',
  'laposte.net',
  'libero.it',
  'list.ru',
  'live.co.uk',
  'live.com',
  'live.fr',
  'live.nl',
  'mac.com',
  'mail.com',
  'mail.ru',
  'mailbox.org',
  'me.com',
  'msn.com',
  'naver.com',
  'nate.com',
  'o2.pl',
  'online.de',
  'orange.fr',
  'outlook.com',
  'outlook.de',
  'outlook.es',
  'outlook.fr',
  'outlook.jp',
  'pm.me',
  'posteo.de',
  'proton.me',
  'protonmail.ch',
  'protonmail.com',
  'qq.com',
  'rediffmail.com',
  'rocketmail.com',
  'sapo.pt',
  'sbcglobal.net',
  'seznam.cz',
  'sfr.fr',
  'shaw.ca',
  'sina.com',
  'sky.com',
  'softbank.ne.jp',
  't-online.de',
  'telenet.be',
  'terra.com.br',
  'tiscali.it',
  'tuta.com',
  'tutanota.com',
  'uol.com.br',
  'verizon.net',
  'virgilio.it',
  'virginmedia.com',
  'wanadoo.fr',
  'web.de',
  'wp.pl',
  'ya.ru',
  'yahoo.ca',
  'yahoo.co.in',
  'yahoo.co.jp',
  'yahoo.co.uk',
  'yahoo.com',
  'yahoo.com.br',
  'yahoo.de',
  'yahoo.es',
  'yahoo.fr',
  'yahoo.it',
  'yandex.com',
  'yandex.ru',
  'ymail.com',
  'ziggo.nl',
  'zoho.com',
  'zohomail.com',
])
