import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { sentence, sentenceOf } from '../../domain/sentence.ts'
import type { Zones } from '../../domain/zone.ts'
import type { BusyReading } from '../../format/icalendar/read.ts'
import { FairTurns } from '../fair-turns.ts'
import { ServerFailure } from './calendar-server.ts'
import { type DavEntry, entriesOf, eventTextsOf } from './multistatus.ts'
import type { ReadingTask } from './reading-worker.ts'

// Megabytes take seconds to parse, and requests must not wait for that. So everything but small texts is parsed in a
// thread, with limits on time and memory.

/** More than this is parsed in a thread: 16 KB take a few milliseconds at worst. */
const SMALL = 16 * 1024
const FEW_TAGS = 500
const TIMEOUT = 10_000
const MEMORY_MB = 256
/** An owner has one at most, so that nobody's calendars hold up all others. */
const THREADS = 2

type BusyTask = Exclude<ReadingTask, { format: 'entries' }>

/** The busy times in a server's response. */
export async function readBusyApart(
  owner: string,
  task: BusyTask,
  zones: Zones,
  timeout = TIMEOUT,
): Promise<BusyReading> {
  const { body, format, question } = task
  if (!isSmall(body) || mayRepeat(body)) return turns.run(owner, () => readInThread(task, timeout))
  const { readBusy } = await import('../../format/icalendar/read.ts')
  return readBusy(format === 'ics' ? [body] : eventTextsOf(body), question, zones)
}

/** What a server says about its calendars. */
export async function readEntriesApart(owner: string, body: string, timeout = TIMEOUT): Promise<DavEntry[]> {
  if (isSmall(body)) return entriesOf(body)
  return turns.run(owner, () => readInThread({ body, format: 'entries' }, timeout))
}

const isSmall = (body: string) => body.length < SMALL && body.split('<', FEW_TAGS + 1).length <= FEW_TAGS

/** Rules can take long to expand. Names have no case, and a line may be folded anywhere. */
const mayRepeat = (body: string) => /R(?:\r?\n[ \t])?R(?:\r?\n[ \t])?U/i.test(body)

const turns = new FairTurns(THREADS)

async function readInThread<T>(task: ReadingTask, timeout: number): Promise<T> {
  const worker = new Worker(new URL('./reading-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
  try {
    const [reading] = await once(worker, 'message', { signal: AbortSignal.timeout(timeout) })
    return reading
  } catch (error) {
    const { name, code } = error as Error & { code?: string }
    if (name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY') {
      throw new ServerFailure(sentence`The calendar takes too long to read.`, { cause: error })
    }
    // An error from a thread has lost its class.
    throw name === 'ServerFailure' ? new ServerFailure(sentenceOf(error), { cause: error }) : error
  } finally {
    await worker.terminate()
  }
}
