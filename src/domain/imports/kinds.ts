// What the source calls our kinds of calendars and meeting links. It is knowledge about the source, so the kinds don't have it.

import { lookUp } from './values.ts'

/** The same services for meeting links. */
const LINKS: Readonly<Record<string, string>> = {
  'integrations:google:meet': 'google-meet',
  'integrations:zoom': 'zoom',
  'integrations:office365_video': 'microsoft-teams',
  'integrations:jitsi': 'jitsi',
}

/** Stands for the source's own video calls where nothing else is chosen. */
export const OPEN_VIDEO = 'jitsi'

const CALENDARS: Readonly<Record<string, string>> = {
  google_calendar: 'google',
  office365_calendar: 'microsoft',
  caldav_calendar: 'caldav',
  apple_calendar: 'caldav',
}

/** The apps there whose OAuth clients the accounts of our kinds have. */
const CLIENTS: Readonly<Record<string, string>> = {
  'google-calendar': 'google',
  'office365-calendar': 'microsoft',
}

/** What people call the services for meeting links, there and here. */
const TITLES: Readonly<Record<string, string>> = {
  'integrations:google:meet': 'Google Meet',
  'integrations:zoom': 'Zoom',
  'integrations:office365_video': 'Microsoft Teams',
  'integrations:jitsi': 'Jitsi',
  'integrations:daily': 'Cal Video',
  conferencing: 'Conferencing',
  'google-meet': 'Google Meet',
  zoom: 'Zoom',
  'microsoft-teams': 'Microsoft Teams',
  jitsi: 'Jitsi',
}

/** Our provider of links that is the same service. */
export const sameLinks = (type: string): string | undefined => lookUp(LINKS, type)

/** Our kind of calendars that is the same service. */
export const sameCalendars = (type: string): string | undefined => lookUp(CALENDARS, type)

/** Our kind of calendars whose accounts belong to this app's OAuth client. */
export const clientOf = (slug: string): string | undefined => lookUp(CLIENTS, slug)

/** Where accounts are whose server is not named: there is only one. */
export const ONLY_SERVER = 'https://caldav.icloud.com/'

export const titleOf = (name: string): string => lookUp(TITLES, name) ?? name.replace(/^integrations:/, '')
