import { type CalDavServer, startCalDav } from './caldav-server.ts'
import { onEveryDatabase, type TestDatabase } from './databases.ts'
import { isInstalled } from './installed.ts'
import { startRadicale } from './radicale.ts'

interface CalDavSoftware {
  readonly name: string
  start(): Promise<CalDavServer>
}

const SMALL: CalDavSoftware = { name: 'the small server of these tests', start: startCalDav }

const ADDED: readonly CalDavSoftware[] = (await isInstalled('Radicale', probeRadicale))
  ? [{ name: 'Radicale', start: startRadicale }]
  : []

/** Our own small server, and Radicale where it is installed. */
export const CALDAV_SERVERS: readonly CalDavSoftware[] = [SMALL, ...ADDED]

/** Runs `suite` on every database with our own small server, and once more with Radicale where it is installed. */
export function onEveryCalDavServer(
  name: string,
  suite: (database: TestDatabase, start: () => Promise<CalDavServer>) => void,
): void {
  onEveryDatabase(name, (database) => suite(database, SMALL.start))
  for (const { name: software, start } of ADDED) {
    // What Radicale answers is the same whatever database we have.
    onEveryDatabase(`${name} with ${software}`, (database) => suite(database, start), ['sqlite'])
  }
}

/** Throws unless Radicale keeps an event, finds it, and deletes it. */
async function probeRadicale(): Promise<void> {
  const server = await startRadicale()
  try {
    const url = `${server.work}probe.ics`
    const event = [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Punctual//Probe//EN',
      'BEGIN:VEVENT',
      'UID:probe',
      'DTSTAMP:20270101T000000Z',
      'DTSTART:20270112T100000Z',
      'DTEND:20270112T110000Z',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ]
    const put = await server.request('PUT', url, event.join('\r\n'))
    const found = await server.request('GET', url)
    const deleted = await server.request('DELETE', url)
    if (put.status !== 201 || !found.text.includes('UID:probe') || deleted.status >= 300) {
      throw new Error(`PUT ${put.status}, GET ${found.status}, DELETE ${deleted.status}`)
    }
  } finally {
    await server.stop()
  }
}
