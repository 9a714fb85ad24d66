import { parentPort, workerData } from 'node:worker_threads'
import { Zones } from '../domain/zone.ts'
import { type BusyQuestion, readBusy } from '../format/icalendar/read.ts'
import { eventTextsOf } from './caldav.ts'

/** The task of a reading thread. */
export interface BusyTask {
  readonly body: string
  readonly format: 'ics' | 'multistatus'
  readonly question: BusyQuestion
}

const { body, format, question } = workerData as BusyTask
parentPort?.postMessage(readBusy(format === 'ics' ? [body] : eventTextsOf(body), question, new Zones()))
