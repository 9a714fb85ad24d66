import { randomInt } from 'node:crypto'
import type { Db } from './engine/database.ts'
import type { NumberedKind } from './engine/schema.ts'

/**
 * Random, so that a number tells neither how many there are nor which came first. Far above what other services have counted to,
 * whose numbers may be kept.
 */
const LOWEST = 2 ** 30
/** Programs keep them in 32 bits, with a sign. */
const BEYOND = 2 ** 31

/** Numbers that are drawn collide once in a billion for each that is in use. */
const MOST_DRAWS = 20

/** As many rows as a statement has parameters for, on every engine. */
const BATCH = 500

/** The number of an object; it gets one if it has none yet. */
export async function numberOf(db: Db, kind: NumberedKind, id: string): Promise<number> {
  const number = (await numbersOf(db, kind, [id])).get(id)
  if (number === undefined) throw new Error(`${kind} ${id} has no number`)
  return number
}

/**
 * The numbers of objects of one kind, by id; those that have none yet get one.
 *
 * Rows are never deleted: a number is not used again. They hold nothing but ids.
 */
export async function numbersOf(
  db: Db,
  kind: NumberedKind,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const numbers = new Map<string, number>()
  const wanted = [...new Set(ids)]
  for (let from = 0; from < wanted.length; from += BATCH) {
    const batch = wanted.slice(from, from + BATCH)
    await readNumbers(db, kind, batch, numbers)
    for (let draws = 0; draws < MOST_DRAWS; draws++) {
      // In one order, so that two transactions never wait for each other.
      const missing = batch.filter((id) => !numbers.has(id)).sort()
      if (missing.length === 0) break
      await db
        .insertInto('numbers')
        .values(missing.map((id) => ({ kind, object_id: id, number: randomInt(LOWEST, BEYOND) })))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      await readNumbers(db, kind, missing, numbers)
    }
  }
  return numbers
}

async function readNumbers(
  db: Db,
  kind: NumberedKind,
  ids: readonly string[],
  into: Map<string, number>,
): Promise<void> {
  const rows = await db
    .selectFrom('numbers')
    .select(['object_id', 'number'])
    .where('kind', '=', kind)
    .where('object_id', 'in', ids)
    .execute()
  for (const row of rows) into.set(row.object_id, row.number)
}

/** The id of the object with this number. The object may be gone. */
export async function idOf(db: Db, kind: NumberedKind, number: number): Promise<string | undefined> {
  if (!Number.isInteger(number) || number < 1 || number >= BEYOND) return undefined
  const row = await db
    .selectFrom('numbers')
    .select('object_id')
    .where('kind', '=', kind)
    .where('number', '=', number)
    .executeTakeFirst()
  return row?.object_id
}

/** Gives an object the number that it had elsewhere; false if either has been given already. */
export async function keepNumber(db: Db, kind: NumberedKind, number: number, id: string): Promise<boolean> {
  if (!Number.isInteger(number) || number < 1 || number >= LOWEST) return false
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('numbers')
    .values({ kind, number, object_id: id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Kinds of which there are few, so that their numbers can be remembered. */
const MOST_REMEMBERED = 10_000

/** Numbers by id, and the other way round. They never change, so those of a process need no second look. */
export class Numbers {
  readonly #db: Db
  readonly #numbers = new Map<string, number>()
  readonly #ids = new Map<string, string>()

  constructor(db: Db) {
    this.#db = db
  }

  async of(kind: NumberedKind, id: string): Promise<number> {
    const known = this.#numbers.get(`${kind} ${id}`)
    if (known !== undefined) return known
    const number = await numberOf(this.#db, kind, id)
    this.#remember(kind, id, number)
    return number
  }

  /** The id of the object with this number, if this process has met it already. */
  knownId(kind: NumberedKind, number: number): string | undefined {
    return this.#ids.get(`${kind} ${number}`)
  }

  async ofAll(kind: NumberedKind, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const unknown = ids.filter((id) => !this.#numbers.has(`${kind} ${id}`))
    const found = unknown.length === 0 ? new Map<string, number>() : await numbersOf(this.#db, kind, unknown)
    const numbers = new Map<string, number>()
    for (const id of ids) {
      const number = found.get(id) ?? this.#numbers.get(`${kind} ${id}`)
      if (number !== undefined) numbers.set(id, number)
    }
    for (const [id, number] of found) this.#remember(kind, id, number)
    return numbers
  }

  async idOf(kind: NumberedKind, number: number): Promise<string | undefined> {
    const known = this.#ids.get(`${kind} ${number}`)
    if (known !== undefined) return known
    const id = await idOf(this.#db, kind, number)
    if (id !== undefined) this.#remember(kind, id, number)
    return id
  }

  #remember(kind: NumberedKind, id: string, number: number): void {
    if (this.#numbers.size >= MOST_REMEMBERED) {
      this.#numbers.clear()
      this.#ids.clear()
    }
    this.#numbers.set(`${kind} ${id}`, number)
    this.#ids.set(`${kind} ${number}`, id)
  }
}
