const HANDED_OVER = 'punctual:prefill'

/** Prefilled answers, by field. */
export type Prefill = Readonly<Record<string, string>>

interface Arrival {
  readonly prefill: Prefill
  /** The campaign that led here. */
  readonly utm: Prefill
}

const KEPT_IN_ADDRESS = new Set([
  'lang',
  'embed',
  'token',
  'date',
  'month',
  'slot',
  'duration',
  'link',
  'routing',
])
/** How a site wants the page to look, and what it listens for: in our words, and in Calendly's. */
const KEPT_WHEN_EMBEDDED = /^(?:theme|hide|embed_\w+|hide_\w+|(?:primary|text|background)_color)$/

/**
 * The answers that a guest arrives with, from the query or from a routing form.
 *
 * They are removed from the address bar immediately, so that a copied link reveals no name. The tab keeps them
 * beside the address, for a reload.
 */
export function readArrival(): Arrival {
  const known: Partial<Arrival> = { ...history.state?.arrival, ...takeHandedOver() }
  const prefill: Record<string, string> = { ...known.prefill }
  const utm: Record<string, string> = { ...known.utm }
  const kept = new URLSearchParams()
  const query = new URLSearchParams(location.search)
  const embedded = query.has('embed') || query.has('embed_domain')
  for (const [key, value] of query) {
    if (KEPT_IN_ADDRESS.has(key) || (embedded && KEPT_WHEN_EMBEDDED.test(key))) kept.set(key, value)
    else if (key.startsWith('utm_')) utm[key.slice(4)] = value.slice(0, 200)
    // Several choices: `?topics=Tea&topics=Coffee`.
    else prefill[key] = query.getAll(key).join('\n')
  }
  const address = location.pathname + (kept.size === 0 ? '' : `?${kept}`)
  const arrival = { prefill, utm }
  history.replaceState({ ...history.state, arrival }, '', address)
  return arrival
}

/** A phone number as the place of a meeting: alone, or as Cal.com writes it. */
const PHONE = /^(?:\{.*"optionValue":")?(\+?\d[\d ()-]{4,})(?:"\})?$/

/** Fields in the words of other services: the first question is `a1` in Calendly's, and a name may come in two parts. */
export function inOurWords(prefill: Prefill, questions: readonly { readonly key: string }[]): Prefill {
  const answers = questions.map(({ key }, index) => [key, prefill[key] ?? prefill[`a${index + 1}`]] as const)
  const parts = [prefill.first_name, prefill.last_name].filter((part) => part !== undefined && part !== '')
  const [, phone] = PHONE.exec(prefill.location ?? '') ?? []
  return {
    ...prefill,
    ...Object.fromEntries(answers.filter((entry): entry is [string, string] => entry[1] !== undefined)),
    ...(prefill.name === undefined && parts.length > 0 && { name: parts.join(' ') }),
    ...(prefill.phone === undefined && phone !== undefined && { phone }),
  }
}

/** Passes answers to the next page of this tab, which may be this one again, without putting them into its URL. */
export function handOver(path: string, arrival: Arrival): void {
  try {
    sessionStorage.setItem(HANDED_OVER, JSON.stringify({ path, ...arrival }))
  } catch {
    // Without storage, the guest types them again.
  }
}

function takeHandedOver(): Partial<Arrival> {
  try {
    const { path, prefill, utm } = JSON.parse(sessionStorage.getItem(HANDED_OVER) ?? '{}')
    sessionStorage.removeItem(HANDED_OVER)
    return path === location.pathname ? { prefill, utm } : {}
  } catch {
    return {}
  }
}
