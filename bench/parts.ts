import type { Part } from './part.ts'
import { book, bookPostgres } from './parts/book.ts'
import { dashboard, dashboardPostgres } from './parts/dashboard.ts'
import { deliveries, deliveriesPostgres } from './parts/deliveries.ts'
import { engine } from './parts/engine.ts'
import { evaluate } from './parts/evaluate.ts'
import { fleet } from './parts/fleet.ts'
import { growth, growthPostgres } from './parts/growth.ts'
import { hostBookings } from './parts/host-bookings.ts'
import { imports, importsPostgres } from './parts/imports.ts'
import { messages, messagesPostgres } from './parts/messages.ts'
import { page } from './parts/page.ts'
import { search, searchPostgres } from './parts/search.ts'
import { slots, slotsPostgres } from './parts/slots.ts'
import { start } from './parts/start.ts'
import { wholeBooking } from './parts/whole-booking.ts'

export interface PartOptions {
  readonly measure: Part
  readonly limitSeconds: number
  /** Measured only when named. */
  readonly onRequest?: true
}

/** All parts, in their order. A limit is several times what the part takes on two idle cores. */
export const PARTS: Readonly<Record<string, PartOptions>> = {
  start: { measure: start, limitSeconds: 300 },
  engine: { measure: engine, limitSeconds: 60 },
  evaluate: { measure: evaluate, limitSeconds: 120 },
  slots: { measure: slots, limitSeconds: 180 },
  book: { measure: book, limitSeconds: 180 },
  'book-postgres': { measure: bookPostgres, limitSeconds: 240 },
  'whole-booking': { measure: wholeBooking, limitSeconds: 600 },
  growth: { measure: growth, limitSeconds: 480 },
  'host-bookings': { measure: hostBookings, limitSeconds: 240 },
  search: { measure: search, limitSeconds: 300 },
  page: { measure: page, limitSeconds: 180 },
  deliveries: { measure: deliveries, limitSeconds: 300 },
  messages: { measure: messages, limitSeconds: 600, onRequest: true },
  'messages-postgres': { measure: messagesPostgres, limitSeconds: 1200, onRequest: true },
  imports: { measure: imports, limitSeconds: 900, onRequest: true },
  'imports-postgres': { measure: importsPostgres, limitSeconds: 1200, onRequest: true },
  dashboard: { measure: dashboard, limitSeconds: 1800, onRequest: true },
  'dashboard-postgres': { measure: dashboardPostgres, limitSeconds: 2400, onRequest: true },
  'slots-postgres': { measure: slotsPostgres, limitSeconds: 300, onRequest: true },
  fleet: { measure: fleet, limitSeconds: 400, onRequest: true },
  // PostgreSQL before 18 builds the index against overlaps slowly.
  'growth-postgres': { measure: growthPostgres, limitSeconds: 1800, onRequest: true },
  'search-postgres': { measure: searchPostgres, limitSeconds: 600, onRequest: true },
  'deliveries-postgres': { measure: deliveriesPostgres, limitSeconds: 480, onRequest: true },
}
