import type { Source, SourceKey } from '../../domain/imports/source.ts'
import { idIn, textIn } from '../../domain/imports/values.ts'
import type { Db } from '../../store/engine/database.ts'
import {
  findLastRows,
  findMeetingsByUid,
  findMemories,
  findRememberedAddresses,
} from '../../store/imports/memories.ts'
import { findObjects } from '../../store/imports/objects.ts'

/** Enough to recognize an instance by. */
const LOOKED_AT = 200

/**
 * The memory of the instance that was read. Instances of Cal.com number their rows alike, so that the same key is something
 * else in each; ids of Calendly are never the same.
 */
export async function chooseMemory(
  db: Db,
  { id, source }: { readonly id: string; readonly source: Source },
): Promise<string> {
  if (source !== 'calcom') return source
  const memories = await findMemories(db, source)
  for (const memory of memories) if (await isOf(db, id, memory)) return memory
  for (let number = 1; ; number++) {
    const memory = number === 1 ? source : `${source} ${number}`
    if (!memories.includes(memory)) return memory
  }
}

/** Whether what was read may come from the same instance as what is remembered: nothing says that it does not. */
async function isOf(db: Db, importId: string, memory: string): Promise<boolean> {
  // The same booking has the same uid, which no other has.
  const bookings = await findLastRows(db, importId, 'Booking', LOOKED_AT)
  const uidOf = new Map(
    bookings.map((row): [SourceKey, string] => [`Booking/${idIn(row)}`, textIn(row, 'uid')]),
  )
  const known = await findObjects(db, memory, [...uidOf.keys()])
  const meetings = await findMeetingsByUid(db, [...uidOf.values()])
  const met = [...known].filter(([key, { kind }]) => kind === 'meeting' && uidOf.get(key as SourceKey) !== '')
  if (met.length > 0)
    return met.some(([key, { id }]) => meetings.get(uidOf.get(key as SourceKey) ?? '') === id)
  const addresses = await findRememberedAddresses(db, memory)
  const people = (await findLastRows(db, importId, 'users', LOOKED_AT)).flatMap((row) => {
    const address = addresses.get(`users/${idIn(row)}`)
    return address === undefined ? [] : [address === textIn(row, 'email').trim().toLowerCase()]
  })
  return people.length === 0 || people.some((isSame) => isSame)
}
