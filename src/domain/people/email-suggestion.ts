/** Where most people have their mailbox: what a mistyped domain probably is. */
const COMMON = [
  'gmail.com',
  'googlemail.com',
  'outlook.com',
  'hotmail.com',
  'icloud.com',
  'yahoo.com',
  'yahoo.co.uk',
  'yahoo.co.jp',
  'hotmail.co.uk',
  'live.com',
  'aol.com',
  'protonmail.com',
  'proton.me',
  't-online.de',
  'freenet.de',
  'orange.fr',
  'wanadoo.fr',
  'uol.com.br',
  'docomo.ne.jp',
] as const

/** Others that are close to these, and right. */
const RIGHT: ReadonlySet<string> = new Set([
  ...COMMON,
  'mail.com',
  'email.com',
  'ymail.com',
  'gmx.com',
  'mac.com',
  'me.com',
  'bol.com.br',
  'rocketmail.com',
])

/** Country domains that are mistyped `.com` far more often than they are meant. */
const MISTYPED_COM: ReadonlySet<string> = new Set(['co', 'cm', 'om'])

/** From this length on, two mistakes are still recognisable. */
const LONG = 9

/** The address that a guest probably meant; undefined if theirs looks right. */
export function suggestEmail(email: string): string | undefined {
  const at = email.lastIndexOf('@')
  const typed = email.slice(at + 1).toLowerCase()
  if (at < 1 || typed.length < 4 || RIGHT.has(typed) || isOfCountry(typed)) return undefined
  const near = COMMON.map((domain) => ({ domain, mistakes: mistakesIn(typed, domain) }))
    .filter(({ domain, mistakes }) => mistakes <= mostMistakes(typed, domain))
    .sort((one, other) => one.mistakes - other.mistakes)
  const [best] = near
  return best && email.slice(0, at + 1) + best.domain
}

/** Such as `yahoo.ca`: the big providers have a domain in most countries. */
function isOfCountry(typed: string): boolean {
  const [name, ...ending] = typed.split('.')
  const last = ending.at(-1) ?? ''
  return (
    last.length === 2 && !MISTYPED_COM.has(last) && COMMON.some((domain) => domain.split('.')[0] === name)
  )
}

/** People rarely mistype the first letter, and short domains are close to many that exist. */
function mostMistakes(typed: string, domain: string): number {
  if (typed[0] === domain[0]) return domain.length >= LONG ? 2 : 1
  return typed[0] === domain[1] ? 1 : 0
}

/** How many letters were left out, added, replaced or swapped; without its ending, a provider's name is one mistake. */
function mistakesIn(typed: string, domain: string): number {
  if (typed === domain.split('.')[0]) return 1
  if (Math.abs(typed.length - domain.length) > 2) return Number.POSITIVE_INFINITY
  let before: number[] = []
  let row = Array.from({ length: domain.length + 1 }, (_, column) => column)
  for (let line = 1; line <= typed.length; line++) {
    const next = [line]
    for (let column = 1; column <= domain.length; column++) {
      const isSame = typed[line - 1] === domain[column - 1]
      const isSwapped = typed[line - 1] === domain[column - 2] && typed[line - 2] === domain[column - 1]
      next[column] = Math.min(
        (row[column] as number) + 1,
        (next[column - 1] as number) + 1,
        (row[column - 1] as number) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] ?? Number.POSITIVE_INFINITY) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = row
    row = next
  }
  return row[domain.length] as number
}
