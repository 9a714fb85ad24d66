import type { Surroundings } from '../telling.ts'

/** How things are named there: by an address. */
export const resourceOf = ({ publicUrl }: Pick<Surroundings, 'publicUrl'>, kind: string, id: string) =>
  `${publicUrl}/v2/calendly/${kind}/${id}`

/** Instants have microseconds there. */
export const instantOf = (at: number) => new Date(at).toISOString().replace('Z', '000Z')

const UTM = ['utm_campaign', 'utm_source', 'utm_medium', 'utm_content', 'utm_term'] as const

/** Where a guest came from; all of it is null if that is not known. */
export const trackingOf = (utm: Readonly<Record<string, string>>) => ({
  ...Object.fromEntries(UTM.map((name) => [name, utm[name.slice('utm_'.length)] ?? null])),
  salesforce_uuid: null,
})
