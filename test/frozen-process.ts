import { writeSync } from 'node:fs'
import { done } from '../src/domain/bookings/decisions/decision.ts'
import { decideUnderLock } from '../src/store/bookings/write-path.ts'
import { isUnavailable } from '../src/store/engine/database.ts'
import { openPatiently } from './databases.ts'

// An instance that stops while it has a host locked, and goes on when a test continues it.

const [url = '', hostId = '', queryTimeout = ''] = process.argv.slice(2)

const db = openPatiently(url, { queryTimeout: Number(queryTimeout) })
try {
  // A question about bookings locks before it looks.
  await decideUnderLock(db, { hostIds: [hostId], bookingIds: [] }, () => {
    writeSync(1, 'locked\n')
    process.kill(process.pid, 'SIGSTOP')
    const job = { kind: 'announce', lane: 'frozen', data: {}, dueAt: 0 } as const
    return done(undefined, { jobs: [job] })
  })
  writeSync(1, 'committed\n')
} catch (error) {
  writeSync(1, isUnavailable(error) ? 'unavailable\n' : `${(error as Error).stack}\n`)
}
// Idle connections would keep it up for another while.
process.exit()
