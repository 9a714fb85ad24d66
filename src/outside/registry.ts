import { caldav } from './calendars/caldav/kind.ts'
import { feed } from './calendars/feed/kind.ts'
import { google } from './calendars/google/kind.ts'
import { microsoft } from './calendars/microsoft/kind.ts'
import { kindsOf } from './kinds/kind.ts'
import { jitsi } from './links/jitsi/kind.ts'
import { zoom } from './links/zoom/kind.ts'

/** Every kind of calendars and meeting links, in the order in which they are listed. A new one is a line here. */
export const REGISTERED = [feed, caldav, google, microsoft, zoom, jitsi] as const

export const KINDS = kindsOf(REGISTERED)
