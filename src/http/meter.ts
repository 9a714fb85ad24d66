/** Upper bounds of the latency buckets, in seconds. Most answers take well below a millisecond. */
export const LATENCY_BOUNDS: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]

/** Where slot listings are, for requests that are answered before they are routed. */
export const LISTING_ROUTE = '/api/public/scheduling/:userSlug/:eventSlug/slots'

/** The requests of one method and route. */
export class RouteMeter {
  readonly method: string
  readonly route: string
  readonly statuses = new Map<number, number>()
  /** One for each bound, and one for everything slower. */
  readonly buckets = new Float64Array(LATENCY_BOUNDS.length + 1)
  seconds = 0

  constructor(method: string, route: string) {
    this.method = method
    this.route = route
  }

  count(status: number, milliseconds: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    const seconds = milliseconds / 1000
    let bucket = 0
    while (bucket < LATENCY_BOUNDS.length && seconds > (LATENCY_BOUNDS[bucket] as number)) bucket++
    ;(this.buckets as { [index: number]: number })[bucket] = (this.buckets[bucket] as number) + 1
    this.seconds += seconds
  }
}

/**
 * Counts requests in plain numbers, so that counting costs next to nothing; `/metrics` turns them into text.
 *
 * Keys are routes such as `/:userSlug`, never addresses: there are few of them, and they hold no personal data.
 */
export class HttpMeter {
  readonly listings = new RouteMeter('GET', LISTING_ROUTE)
  /** How requests to book ended: `booked`, or the code of the problem. */
  readonly bookings = new Map<string, number>()
  readonly #routes = new Map<string, RouteMeter>([[`GET ${LISTING_ROUTE}`, this.listings]])

  count(method: string, route: string, status: number, milliseconds: number): void {
    const key = `${method} ${route}`
    let meter = this.#routes.get(key)
    if (meter === undefined) {
      meter = new RouteMeter(method, route)
      this.#routes.set(key, meter)
    }
    meter.count(status, milliseconds)
  }

  countBooking(outcome: string): void {
    this.bookings.set(outcome, (this.bookings.get(outcome) ?? 0) + 1)
  }

  routes(): Iterable<RouteMeter> {
    return this.#routes.values()
  }
}
