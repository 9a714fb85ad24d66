import type { QueryResult } from 'kysely'
import type { Decision } from '../../domain/bookings/decisions/decision.ts'
import {
  applyWrites,
  hasLocked,
  joinWrites,
  type Ledger,
  type Question,
  type Writes,
} from '../../domain/bookings/ledger.ts'
import { Batcher, type Pending } from '../engine/batcher.ts'
import { type Db, isRefusal, type Trx } from '../engine/database.ts'
import { type Evidence, engine, Outdated } from '../engine/engine.ts'
import type { Locking } from './facts/schedulers.ts'
import { guardLedger, mayLookFirst } from './guard.ts'
import { compileWrites, readLedger } from './ledger.ts'

/** Decides on what was read. It runs while hosts are locked, so it cannot wait; an error that it throws is a bug. */
export type DecideUnderLock<T> = (ledger: Ledger) => Decision<T>

/**
 * The one way to write bookings: locks the hosts, reads what the question needs, decides, writes, commits.
 *
 * On PostgreSQL that is two round trips, and the hosts are locked during both, or during the second if that suffices.
 * Requests that arrive at the same time share a transaction, because deciding is cheap and a commit is not. Each
 * decision sees those before it.
 */
export async function decideUnderLock<T>(
  db: Db,
  question: Question,
  decide: DecideUnderLock<T>,
): Promise<Decision<T>> {
  const decision = (await writePathOf(db).submit({ question, decide })) as Decision<T>
  // Nothing to write: it was done before, perhaps a moment ago by another instance.
  if (decision.kind === 'done' && Object.keys(decision.writes).length === 0) await engine(db).makeDurable()
  return decision
}

/**
 * The same within a transaction that changes more than bookings, and has locked the hosts already: makes these decisions,
 * each of which sees those before it, and writes them. Throws the first refusal.
 */
export async function decideWithin<T>(
  trx: Trx,
  questions: readonly Question[],
  decisions: readonly DecideUnderLock<T>[],
): Promise<T[]> {
  const { queries, toLedger } = readLedger(trx, questions, 'look')
  const answers: QueryResult<unknown>[] = []
  for (const query of queries) answers.push(await engine(trx).execute(trx, query))
  const ledger = toLedger(answers)
  const made = decisions.map((decide) => {
    const decision = decide(ledger)
    if (decision.kind === 'refused') throw decision.problem
    if (decision.kind === 'needs') throw new Error(`This decision can't wait for ${decision.need.what}.`)
    applyWrites(ledger, decision.writes)
    return decision
  })
  const writes = withEndedHolds(ledger, joinWrites(made.map((decision) => decision.writes)))
  for (const query of compileWrites(trx, writes)) await engine(trx).execute(trx, query)
  return made.map(({ result }) => result)
}

/** Why a batch, or a part of it, had to be decided again. */
interface ContentionCounts {
  /** Another transaction had the hosts locked, so their requests waited for them. */
  locked: number
  /** What was read before the lock had changed by then. */
  outdated: number
  /** The database refused one of several. */
  separated: number
}

/** How often requests were decided again in this process, by the reason. */
export const contentionCounts = (db: Db): Readonly<ContentionCounts> => writePathOf(db).counts

interface Request {
  readonly question: Question
  readonly decide: DecideUnderLock<unknown>
}

type Batch = readonly Pending<Request, unknown>[]

const writePaths = new WeakMap<Db, WritePath>()

function writePathOf(db: Db): WritePath {
  let writePath = writePaths.get(db)
  if (writePath === undefined) {
    writePath = new WritePath(db)
    writePaths.set(db, writePath)
  }
  return writePath
}

/** Transactions that wait for locked hosts. Each holds a connection, and other requests need some, too. */
const MAX_WAITING = 5

class WritePath {
  readonly counts: ContentionCounts = { locked: 0, outdated: 0, separated: 0 }
  readonly #db: Db
  /** For many hosts at once: skips hosts that another instance has locked, so that no request waits for them. */
  readonly #shared = new Batcher<Request, unknown>({
    run: (batch) => this.#runShared(batch),
    keysOf,
    mayShareBatch: () => true,
  })
  /** For the same hosts: waits until they are free. */
  readonly #waiting = new Batcher<Request, unknown>({
    run: (batch) => this.#runWaiting(batch),
    keysOf,
    mayShareBatch: () => true,
    sameKeysOnly: true,
    maxRunning: MAX_WAITING,
  })

  constructor(db: Db) {
    this.#db = db
  }

  submit(request: Request): Promise<unknown> {
    return this.#shared.submit(request)
  }

  async #runShared(batch: Batch): Promise<void> {
    const [first] = batch
    const sameHosts = batch.every(({ request }) => sameKeys(request, (first as Batch[number]).request))
    const isDirect = sameHosts && !this.#waiting.isFull
    const left = isDirect ? batch : await this.#decide(batch, 'skip')
    if (!isDirect) this.counts.locked += left.length
    for (const pending of left) {
      // Not awaited: the hosts of the others are free for the next batch.
      this.#waiting.submit(pending.request).then(pending.resolve, pending.reject)
    }
  }

  async #runWaiting(batch: Batch): Promise<void> {
    const mayLook =
      engine(this.#db).othersWrite && batch.every(({ request }) => mayLookFirst(request.question))
    const left = await this.#decide(batch, mayLook ? 'look' : 'wait')
    // A meeting has moved to hosts that were not locked with it; asked again, the lock includes them.
    for (const pending of left) this.#waiting.submit(pending.request).then(pending.resolve, pending.reject)
  }

  /** Answers the requests whose hosts it could lock, and returns the others. */
  async #decide(batch: Batch, locking: Locking): Promise<Batch> {
    const db = this.#db
    const requests = batch.map(({ request }) => request)
    const questions = requests.map(({ question }) => question)
    const { queries, toLedger } = readLedger(db, questions, locking)
    try {
      const outcomes = await engine(db).inTwoTrips(queries, (answers) => {
        const ledger = toLedger(answers)
        // Before deciding, which adds to the ledger.
        const guards = locking === 'look' ? guardLedger(db, questions, ledger) : []
        const outcomes = requests.map((request) => decideOne(ledger, request))
        const decided = outcomes.map((outcome) => ('writes' in outcome ? outcome.writes : {}))
        const writes = withEndedHolds(ledger, joinWrites(decided))
        return { guards, writes: compileWrites(db, writes), result: outcomes, evidence: evidenceOf(writes) }
      })
      return batch.filter(({ resolve, reject }, i) => {
        const outcome = outcomes[i] as Outcome
        if (outcome.kind === 'locked') return true
        if (outcome.kind === 'failed') reject(outcome.error)
        else resolve(outcome)
        return false
      })
    } catch (error) {
      if (error instanceof Outdated) {
        this.counts.outdated += batch.length
        return this.#decide(batch, 'wait')
      }
      if (batch.length === 1 || !isRefusal(error)) {
        for (const { reject } of batch) reject(error)
        return []
      }
      // The database refused one, which rolled all of them back: retry each alone.
      this.counts.separated += batch.length
      const left: Pending<Request, unknown>[] = []
      for (const one of batch)
        left.push(...(await this.#decide([one], locking === 'look' ? 'wait' : locking)))
      return left
    }
  }
}

/** These writes, and the holds deleted that have ended if the database would refuse claims beside them. */
function withEndedHolds(ledger: Ledger, writes: Writes): Writes {
  const { claims = [], holds = [], freedHolds = [] } = writes
  const ended = claims.length + holds.length > 0 ? ledger.claims.endedHolds : []
  if (ended.length === 0) return writes
  return { ...writes, freedHolds: [...ended.map(({ claim }) => claim.meetingId), ...freedHolds] }
}

function evidenceOf({ bookings: [added] = [], updates: [updated] = [] }: Writes): Evidence | undefined {
  if (added !== undefined) return { bookingId: added.booking.id, isNew: true }
  return updated && { bookingId: updated.booking.id, isNew: false }
}

type Outcome =
  | Decision<unknown>
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Another transaction has one of the hosts. */
  | { readonly kind: 'locked' }

function decideOne(ledger: Ledger, { question, decide }: Request): Outcome {
  if (!hasLocked(ledger, question)) return { kind: 'locked' }
  try {
    const decision = decide(ledger)
    if (decision.kind !== 'needs') applyWrites(ledger, decision.writes)
    return decision
  } catch (error) {
    return { kind: 'failed', error }
  }
}

function keysOf({ question: { hostIds, meetingIds = [] } }: Request): readonly string[] {
  return [...hostIds, ...meetingIds]
}

const sameKeys = (one: Request, other: Request) => keysOf(one).join() === keysOf(other).join()
