import { createContext } from '../../src/services/context.ts'
import { issueToken } from '../../src/services/people/sign-in/issue-access.ts'
import { findBookingPage } from '../../src/store/bookings/list.ts'
import { openDatabase } from '../../src/store/engine/open-database.ts'
import { findUserByEmail } from '../../src/store/people/users.ts'
import { findOrInsertSecret } from '../../src/store/secrets.ts'
import { quietContext } from '../../test/kit.ts'
import { evenly, FIRST_DAY, startsFrom } from '../calendar.ts'
import { type Part, rateOf } from '../part.ts'
import { measureInTurn } from '../rounds.ts'
import { seed, slugOf } from '../seed.ts'
import { databaseOf, startServer } from '../server.ts'
import { perSecond } from '../table.ts'

const HOSTS = 200
const BOOKINGS_EACH = 5000
const DAYS = 3650
const PAGE = 50
const QUERIES = 2000

/** A host's page of bookings, with a million in the database, compared with the same query made directly. */
export const hostBookings: Part = async function* (bench) {
  const options = { dataDir: bench.folder('host-bookings') }
  const url = databaseOf(options)
  const starts = evenly(startsFrom(FIRST_DAY - DAYS / 2, DAYS), BOOKINGS_EACH)
  await seed(url, { hosts: HOSTS, booked: [{ hosts: [1, HOSTS], starts }] })
  const db = openDatabase(url)
  try {
    const email = `${slugOf(HOSTS / 2)}@hosts.example`
    const host = await findUserByEmail(db, email)
    if (host === undefined) throw new Error('there is no host to ask as')
    // The server reads the same secret, and so accepts the token.
    const jwtSecret = await findOrInsertSecret(db, 'jwt', quietContext.jwtSecret)
    const captcha = { altchaSecret: jwtSecret, services: {} }
    const context = createContext({ ...quietContext, db, publicUrl: 'http://localhost', captcha, jwtSecret })
    const details = { name: 'bench', scopes: ['read'] as const }
    const token = await issueToken(context, { userId: null, email: 'bench' }, email, details)

    await using server = await startServer(options)
    const request = `GET /api/admin/bookings?limit=${PAGE} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`
    const rates = await measureInTurn({
      ours: () => rateOf(bench, server.port, [request], 'gets', true),
      direct: async () => {
        const began = performance.now()
        for (let i = 0; i < QUERIES; i++) {
          const { found } = await findBookingPage(
            db,
            [{ schedulerId: host.id }],
            { statuses: [], order: 'asc' },
            PAGE,
          )
          if (found.length !== PAGE) throw new Error(`the query found ${found.length} bookings`)
        }
        return QUERIES / ((performance.now() - began) / 1000)
      },
    })
    yield {
      what: 'GET /api/admin/bookings, a page of 50 out of 1,000,000',
      ours: perSecond(rates.ours),
      baseline: perSecond(rates.direct),
      value: rates.ours / rates.direct,
    }
  } finally {
    await db.destroy()
  }
}
