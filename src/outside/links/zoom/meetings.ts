import {
  type Access,
  askProvider,
  incomprehensible,
  objectOf,
  ProviderFailure,
} from '../../accounts/provider.ts'

import type { MadeMeeting, WantedMeeting } from '../../kinds/link-maker.ts'

const TITLE = 'Zoom'
const SCHEDULED = 2
const MAX_TOPIC = 200
const MINUTE = 60_000

export async function createMeeting(
  apiUrl: string,
  access: Access,
  wanted: WantedMeeting,
): Promise<MadeMeeting> {
  const body = { type: SCHEDULED, ...bodyOf(wanted) }
  const url = `${apiUrl}/users/me/meetings`
  return meetingOf(await askProvider({ title: TITLE, method: 'POST', url, body, access }))
}

/** Returns false if the meeting is gone. */
export async function updateMeeting(
  apiUrl: string,
  access: Access,
  id: string,
  wanted: WantedMeeting,
): Promise<boolean> {
  const url = meetingUrl(apiUrl, id)
  return isThere(askProvider({ title: TITLE, method: 'PATCH', url, body: bodyOf(wanted), access }))
}

/** Deletes a meeting, which may be gone already. Zoom mails nobody. */
export async function deleteMeeting(apiUrl: string, access: Access, id: string): Promise<void> {
  const url = new URL(meetingUrl(apiUrl, id))
  url.searchParams.set('schedule_for_reminder', 'false')
  url.searchParams.set('cancel_meeting_reminder', 'false')
  await isThere(askProvider({ title: TITLE, method: 'DELETE', url, access }))
}

/** 300 meetings a page. */
const MAX_PAGES = 20

/** The account's meeting with this marker, if there is one. */
export async function findMeeting(
  apiUrl: string,
  access: Access,
  marker: string,
): Promise<MadeMeeting | undefined> {
  const url = new URL(`${apiUrl}/users/me/meetings`)
  url.searchParams.set('type', 'scheduled')
  url.searchParams.set('page_size', '300')
  for (let page = 0; page < MAX_PAGES; page++) {
    const { meetings, next_page_token: next } = objectOf(await askProvider({ title: TITLE, url, access }))
    if (!Array.isArray(meetings)) throw incomprehensible(TITLE)
    // The marker begins the agenda, of which a list shows the first 250 characters.
    const found = meetings.find((one) => String(objectOf(one).agenda ?? '').startsWith(marker))
    if (found !== undefined) return meetingOf(found)
    if (typeof next !== 'string' || next === '') return undefined
    url.searchParams.set('next_page_token', next)
  }
  return undefined
}

const meetingUrl = (apiUrl: string, id: string) => `${apiUrl}/meetings/${encodeURIComponent(id)}`

function bodyOf({ topic, marker, start, end }: WantedMeeting) {
  return {
    topic: topic.slice(0, MAX_TOPIC).toWellFormed(),
    agenda: marker,
    start_time: new Date(start).toISOString().replace('.000Z', 'Z'),
    duration: Math.ceil((end - start) / MINUTE),
    timezone: 'UTC',
  }
}

/** `start_url` is left alone: whoever has it is the host. */
function meetingOf(answer: unknown): MadeMeeting {
  const { id, join_url: joinUrl } = objectOf(answer)
  if ((typeof id !== 'number' && typeof id !== 'string') || typeof joinUrl !== 'string') {
    throw incomprehensible(TITLE)
  }
  if (!/^https?:\/\//.test(joinUrl)) throw incomprehensible(TITLE)
  return { id: String(id), joinUrl }
}

async function isThere(asked: Promise<unknown>): Promise<boolean> {
  try {
    await asked
    return true
  } catch (error) {
    if (error instanceof ProviderFailure && error.status === 404) return false
    throw error
  }
}
