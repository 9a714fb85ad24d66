export const THEMES = ['light', 'dark', 'auto'] as const

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
  readonly theme: (typeof THEMES)[number]
  readonly branding: Branding
}

export interface Branding {
  readonly primaryColor: string
  readonly logoUrl: string
}
