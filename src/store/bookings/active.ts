import { type SqlBool, sql } from 'kysely'

/**
 * Whether a booking takes time. The states are written out, each as in a partial index: one has the many that are asked
 * for or confirmed, another the few that are being paid for. Beside `in (select …)` neither database looks into both:
 * use `lookUpEach`.
 */
export const isActive = (table: string) => sql<SqlBool>`(${isAgreed(table)} or ${isPaying(table)})`

export const isAgreed = (table: string) =>
  sql<SqlBool>`${sql.ref(`${table}.status`)} in ('PendingApproval', 'Confirmed')`

export const isPaying = (table: string) => sql<SqlBool>`${sql.ref(`${table}.status`)} = 'PendingPayment'`
