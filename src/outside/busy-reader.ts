import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Zones } from '../domain/zone.ts'
import type { BusyReading } from '../format/icalendar/read.ts'
import type { BusyTask } from './busy-worker.ts'
import { eventTextsOf } from './caldav.ts'

const SMALL = 64 * 1024
const TIMEOUT = 20_000
const MEMORY_MB = 256

let turn: Promise<unknown> = Promise.resolve()

/**
 * The busy times in a server's response.
 *
 * Megabytes take seconds to parse, and requests must not wait for that. So they are parsed in a thread, one at a time,
 * with a time limit. Small ones are parsed here.
 */
export async function readBusyApart(task: BusyTask, zones: Zones, timeout = TIMEOUT): Promise<BusyReading> {
  const { body, format, question } = task
  if (body.length < SMALL && !body.includes('RRULE')) {
    const { readBusy } = await import('../format/icalendar/read.ts')
    return readBusy(format === 'ics' ? [body] : eventTextsOf(body), question, zones)
  }
  const reading = turn.then(() => readInThread(task, timeout))
  turn = reading.catch(() => {})
  return reading
}

async function readInThread(task: BusyTask, timeout: number): Promise<BusyReading> {
  const worker = new Worker(new URL('./busy-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
  try {
    const [reading] = await once(worker, 'message', { signal: AbortSignal.timeout(timeout) })
    return reading
  } finally {
    await worker.terminate()
  }
}
