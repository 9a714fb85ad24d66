/** What every call takes besides its input. */
export interface CallOptions {
  readonly signal?: AbortSignal
}

/** The guest's own link: spread it into the input of `getOwnBooking`, `cancelOwnBooking` and the like. */
export interface OwnLink {
  readonly id: string
  readonly token: string
}

/** What comes with a new booking. Keep the link safe: it lets anyone change the booking. */
export interface Linked {
  readonly link: OwnLink
}
