import type { QueryResult } from 'kysely'
import { Batcher, type Pending } from '../engine/batcher.ts'
import { type Db, isRefusal, type Trx } from '../engine/database.ts'
import { type Evidence, engine, Outdated } from '../engine/engine.ts'
import type { Ledger, Question, Writes } from './ledger.ts'
import { dependsOnTimes, guardLedger, type Locking, readLedger } from './ledger-reads.ts'
import { compileWrites } from './ledger-writes.ts'

/** What to write, and what to tell the caller once it is committed. */
export interface Decision<T> {
  readonly writes: Writes
  readonly result: T
}

/** Decides on what was read. It runs while hosts are locked, so it cannot wait; an error it throws is the result. */
export type Decide<T> = (ledger: Ledger) => Decision<T>

/**
 * The one way to write bookings: locks the hosts, reads what the question needs, decides, writes, commits.
 *
 * On PostgreSQL that is two round trips, and the hosts are locked during both, or during the second if that suffices. Requests that arrive at the same
 * time share a transaction, because deciding is cheap and a commit is not. Each decision sees those before it.
 */
export function decideUnderLock<T>(db: Db, question: Question, decide: Decide<T>): Promise<T> {
  let writePath = writePaths.get(db)
  if (writePath === undefined) {
    writePath = new WritePath(db)
    writePaths.set(db, writePath)
  }
  return writePath.submit({ question, decide }) as Promise<T>
}

/**
 * The same within a transaction that changes more than bookings, and has locked the hosts already: makes these decisions,
 * each of which sees those before it, and writes them.
 */
export async function decideWithin<T>(
  trx: Trx,
  questions: readonly Question[],
  decisions: readonly Decide<T>[],
): Promise<T[]> {
  const { queries, toLedger } = readLedger(trx, questions, 'look')
  const answers: QueryResult<unknown>[] = []
  for (const query of queries) answers.push(await engine(trx).execute(trx, query))
  const ledger = toLedger(answers)
  const made = decisions.map((decide) => {
    const decision = decide(ledger)
    ledger.apply(decision.writes)
    return decision
  })
  const writes = withEndedHolds(
    ledger,
    made.map((decision) => decision.writes),
  )
  for (const query of compileWrites(trx, writes)) await engine(trx).execute(trx, query)
  return made.map(({ result }) => result)
}

interface Request {
  readonly question: Question
  readonly decide: Decide<unknown>
}

type Batch = readonly Pending<Request, unknown>[]

const writePaths = new WeakMap<Db, WritePath>()

/** Transactions that wait for locked hosts. Each holds a connection, and other requests need some, too. */
const MAX_WAITING = 5

class WritePath {
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
    const left = sameHosts && !this.#waiting.isFull ? batch : await this.#decide(batch, 'skip')
    for (const pending of left) {
      // Not awaited: the hosts of the others are free for the next batch.
      this.#waiting.submit(pending.request).then(pending.resolve, pending.reject)
    }
  }

  async #runWaiting(batch: Batch): Promise<void> {
    const mayLook =
      engine(this.#db).othersWrite && batch.every(({ request }) => dependsOnTimes(request.question))
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
        const decided = outcomes.flatMap((outcome) => ('writes' in outcome ? outcome.writes : []))
        const writes = withEndedHolds(ledger, decided)
        return { guards, writes: compileWrites(db, writes), result: outcomes, evidence: evidenceOf(writes) }
      })
      return batch.filter(({ resolve, reject }, i) => {
        const outcome = outcomes[i] as Outcome
        if ('notHeld' in outcome) return true
        if ('refusal' in outcome) reject(outcome.refusal)
        else resolve(outcome.result)
        return false
      })
    } catch (error) {
      if (error instanceof Outdated) return this.#decide(batch, 'wait')
      if (batch.length === 1 || !isRefusal(error)) {
        for (const { reject } of batch) reject(error)
        return []
      }
      // The database refused one, which rolled all of them back: retry each alone.
      const left: Pending<Request, unknown>[] = []
      for (const one of batch)
        left.push(...(await this.#decide([one], locking === 'look' ? 'wait' : locking)))
      return left
    }
  }
}

/** These writes, after deleting holds that have ended if the database would refuse claims beside them. */
function withEndedHolds(ledger: Ledger, decided: readonly Writes[]): readonly Writes[] {
  const ended = decided.some(takesTime) ? ledger.endedHolds.map(({ claim }) => claim.meetingId) : []
  return ended.length === 0 ? decided : [{ freedHolds: ended }, ...decided]
}

/** Whether the database compares new claims with those that are there. */
const takesTime = ({ claims = [], holds = [] }: Writes) => claims.length + holds.length > 0

function evidenceOf(decisions: readonly Writes[]): Evidence | undefined {
  const [added] = decisions.flatMap(({ bookings = [] }) => bookings)
  if (added !== undefined) return { bookingId: added.booking.id, isNew: true }
  const [updated] = decisions.flatMap(({ updates = [] }) => updates)
  return updated && { bookingId: updated.booking.id, isNew: false }
}

type Outcome =
  | Decision<unknown>
  | { readonly refusal: unknown }
  /** Another transaction has one of the hosts. */
  | { readonly notHeld: true }

function decideOne(ledger: Ledger, { question, decide }: Request): Outcome {
  if (!ledger.holds(question)) return { notHeld: true }
  try {
    const decision = decide(ledger)
    ledger.apply(decision.writes)
    return decision
  } catch (refusal) {
    return { refusal }
  }
}

function keysOf({ question: { hostIds, meetingIds = [] } }: Request): readonly string[] {
  return [...hostIds, ...meetingIds]
}

const sameKeys = (one: Request, other: Request) => keysOf(one).join() === keysOf(other).join()
