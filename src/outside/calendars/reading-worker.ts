import { parentPort, workerData } from 'node:worker_threads'
import { Zones } from '../../domain/zone.ts'
import { type BusyQuestion, readBusy } from '../../format/icalendar/read.ts'
import { entriesOf, eventTextsOf } from './multistatus.ts'

/** The task of a reading thread: what a server says about its calendars, or the busy times in one. */
export type ReadingTask =
  | { readonly body: string; readonly format: 'entries' }
  | { readonly body: string; readonly format: 'ics' | 'multistatus'; readonly question: BusyQuestion }

const task = workerData as ReadingTask
if (task.format === 'entries') parentPort?.postMessage(entriesOf(task.body))
else {
  const texts = task.format === 'ics' ? [task.body] : eventTextsOf(task.body)
  parentPort?.postMessage(readBusy(texts, task.question, new Zones()))
}
