export const THEMES = ['light', 'dark', 'auto'] as const

/** How German speaks to readers: formally or not. */
export const GERMAN_ADDRESSES = ['sie', 'du'] as const
export type GermanAddress = (typeof GERMAN_ADDRESSES)[number]

/** The owner of a public page: a user, who can host meetings, or a team of users. */
export interface Scheduler {
  readonly id: string
  readonly kind: 'user' | 'team'
  readonly slug: string
  readonly name: string
  readonly bio: string
  readonly avatarUrl: string
  readonly timeZone: string
  readonly locale: string
  readonly germanAddress: GermanAddress
  readonly theme: (typeof THEMES)[number]
  readonly branding: Branding
  /** Whether there are messages of theirs; left out: no. */
  readonly hasMessages?: true
}

export interface Branding {
  readonly primaryColor: string
  readonly logoUrl: string
}
