import type { Db } from '../../store/engine/database.ts'
import { engine, type WalPosition } from '../../store/engine/engine.ts'
import type { Changes } from './changes.ts'
import { then } from './then.ts'

/** How far this process's own changes had come. */
interface Marks {
  readonly settings: number
  readonly bookings: number
}

/** What was read, and everything up to when it includes. */
export interface Reading<T> {
  readonly value: T
  readonly asOf: number
  readonly marks: Marks
}

type Read<T> = (db: Db) => T | Promise<T>

/** Everything committed before `asOf` is in the primary's log up to this position. */
interface Proof {
  readonly position: WalPosition
  readonly asOf: number
  /** By a monotonic clock. */
  readonly takenAt: number
  readonly marks: Marks
}

interface Given {
  readonly db: Db
  /** A standby, whose reads are used while it is known to be fresh. */
  readonly replica?: Db | undefined
  readonly now: () => number
  readonly settings: Changes
  readonly bookings: Changes
}

/** What is read from the replica may be this old. It stays cached for what is left of `MAX_STALENESS`. */
const MAX_AGE = 400
const PROVE_EVERY = 100

/**
 * Reads for listings: from a replica that is fresh enough, otherwise from the primary.
 *
 * The primary says how far its log has come; the replica is fresh once it has replayed that much. Each read asks
 * that on its own connection, because the URL may lead to several replicas.
 */
export class ListingReads {
  readonly #given: Given
  /** How many reads each of them has answered. */
  readonly counts = { primary: 0, replica: 0 }
  #proof: Proof | undefined
  #proving = false
  #provedAt = Number.NEGATIVE_INFINITY

  constructor(given: Given) {
    this.#given = given
  }

  /** Runs `read`, which must not write. The replica is used only if `includesOwn` says that it has all own changes. */
  read<T>(includesOwn: (marks: Marks) => boolean, read: Read<T>): Reading<T> | Promise<Reading<T>> {
    const { replica } = this.#given
    return replica === undefined ? this.readPrimary(read) : this.#readEither(replica, includesOwn, read)
  }

  readPrimary<T>(read: Read<T>): Reading<T> | Promise<Reading<T>> {
    const [asOf, marks] = [this.#given.now(), this.#marks()]
    this.counts.primary++
    return then(read(this.#given.db), (value) => ({ value, asOf, marks }))
  }

  async #readEither<T>(
    replica: Db,
    includesOwn: (marks: Marks) => boolean,
    read: Read<T>,
  ): Promise<Reading<T>> {
    void this.#prove(replica)
    const reading = await this.#readReplica(replica, includesOwn, read)
    if (reading === undefined) return this.readPrimary(read)
    this.counts.replica++
    return reading
  }

  async #readReplica<T>(
    replica: Db,
    includesOwn: (marks: Marks) => boolean,
    read: Read<T>,
  ): Promise<Reading<T> | undefined> {
    const proof = this.#proof
    if (proof === undefined || isOld(proof) || !includesOwn(proof.marks)) return undefined
    try {
      const { position, asOf, marks } = proof
      const reading = await replica.connection().execute(async (connection) => {
        if (!(await engine(connection).hasReplayed(connection, position))) return undefined
        return { value: await read(connection), asOf, marks }
      })
      // It may have taken its time.
      return isOld(proof) ? undefined : reading
    } catch {
      // Whatever is wrong with the replica, and whatever it doesn't find, the primary knows better.
      if (this.#proof === proof) this.#proof = undefined
      return undefined
    }
  }

  /** Asks both servers, in the background, and not more often than it is worth. */
  async #prove(replica: Db): Promise<void> {
    const takenAt = performance.now()
    if (this.#proving || takenAt < this.#provedAt + PROVE_EVERY) return
    this.#proving = true
    this.#provedAt = takenAt
    const { db, now } = this.#given
    // Before the primary is asked: what was committed by then is in its log.
    const [asOf, marks] = [now(), this.#marks()]
    try {
      const position = await engine(db).readWalPosition(db)
      const proof = position && { position, asOf, marks, takenAt }
      while (proof && !isOld(proof)) {
        if (await engine(replica).hasReplayed(replica, proof.position)) {
          this.#proof = proof
          return
        }
        await new Promise((resolve) => setTimeout(resolve, REPLAY_TAKES))
      }
    } catch {
      // Without a proof, the primary is read.
    } finally {
      this.#proving = false
    }
  }

  #marks(): Marks {
    const { settings, bookings } = this.#given
    return { settings: settings.mark, bookings: bookings.mark }
  }
}

/** How long to give a replica that is a little behind. */
const REPLAY_TAKES = 20

const isOld = ({ takenAt }: Proof) => performance.now() >= takenAt + MAX_AGE
