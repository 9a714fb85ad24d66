import { randomUUID } from 'node:crypto'

/** What fits into the twelve bits that follow the time. */
const MOST = 4096

let moment = 0
let count = 0

/**
 * A UUIDv7 that sorts after all that this process has made before: within a millisecond they are counted, and a clock that
 * is set back stands still here. So what is listed by id is listed in the order in which it was made.
 */
export function newId(): string {
  const now = Date.now()
  if (now > moment) {
    moment = now
    count = 0
  } else if (++count === MOST) {
    moment++
    count = 0
  }
  const time = moment.toString(16).padStart(12, '0')
  // The variant and the random part are those of any UUID.
  const random = randomUUID().slice('00000000-0000-4000'.length)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count.toString(16).padStart(3, '0')}${random}`
}
