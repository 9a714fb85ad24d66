import type { FrameOptions } from '../frames.ts'
import { readAddress } from '../service.ts'

/** What sites give along with a link: answers by field, and options. */
export type Config = Readonly<Record<string, unknown>>

/** What the `ui` instruction changes, as far as our pages have it. */
export interface Look {
  readonly theme?: FrameOptions['theme']
  readonly color?: string | undefined
  readonly hideDetails?: boolean | undefined
}

const IN_ADDRESS = ['month', 'date', 'slot', 'duration', 'token', 'routing', 'link']
/** The secret uid of a booking: its id and the token of its guest's link. */
const SECRET = /^(reschedule|booking)\/([\da-f-]{36})_([\w-]+)$/
/** Options that are no answers, and that our pages do not have. */
const OPTION =
  /^(?:theme|layout|embedType|iframeAttrs|guest|rescheduleUid|overlayCalendar|hideEventTypeDetails|useSlots\w+|(?:ui|flag|cal)[._].*|__.*)$/

const THEMES = ['light', 'dark', 'auto'] as const

/** The page of a link, and what is known about the visitor. */
export function optionsFor(
  base: string,
  calLink: string,
  config: Config,
  look: Look,
  forward: boolean,
): FrameOptions {
  const { link, query: own } = readAddress(base, calLink)
  const given: Record<string, unknown> = forward ? grouped(new URLSearchParams(location.search)) : {}
  Object.assign(given, grouped(own), config)
  const query: Record<string, string> = { embed: 'cal' }
  const prefill: Record<string, string | readonly string[]> = {}
  const utm: Record<string, string> = {}
  for (const [key, value] of Object.entries(given)) {
    const text = Array.isArray(value)
      ? value.map(String)
      : Object(value) === value
        ? undefined
        : String(value ?? '')
    if (text === undefined || text.length === 0) continue
    // The router answers a form on the server.
    if (IN_ADDRESS.includes(key) || (link === 'router' && own.has(key))) query[key] = String(text)
    else if (key.startsWith('utm_')) utm[key.slice(4)] = String(text)
    else if (!OPTION.test(key)) prefill[key] = text
  }
  if (look.color) query.primary_color = look.color.replace('#', '')
  const { rescheduleUid, hideEventTypeDetails } = given
  const path = rescheduleUid ? `reschedule/${rescheduleUid}` : link.replace(/\/embed$/, '')
  const [, step, id, token = ''] = SECRET.exec(path) ?? []
  if (step) query.token = token
  if (step === 'reschedule') query.step = step
  return {
    link: step ? `booking/${id}` : path,
    query,
    prefill: { ...prefill, ...namesIn(prefill) },
    utm,
    theme: themeOf(given.theme) ?? look.theme,
    hideDetails: look.hideDetails ?? String(hideEventTypeDetails) === 'true',
  }
}

/** Fields that have other names there. */
function namesIn(prefill: Readonly<Record<string, string | readonly string[]>>): Record<string, string> {
  const { name, firstName, lastName, attendeePhoneNumber, smsReminderNumber, phone } = prefill
  const number = phone ?? attendeePhoneNumber ?? smsReminderNumber
  const full = name ?? [firstName, lastName].filter(Boolean).join(' ')
  return { ...(full && { name: String(full) }), ...(number && { phone: String(number) }) }
}

const grouped = (query: URLSearchParams) =>
  Object.fromEntries([...query.keys()].map((key) => [key, query.getAll(key)]))

export const themeOf = (theme: unknown) => THEMES.find((known) => known === theme)

interface Ui {
  readonly theme?: unknown
  readonly hideEventTypeDetails?: unknown
  readonly styles?: { readonly branding?: { readonly brandColor?: string } }
  readonly cssVarsPerTheme?: Readonly<Record<string, Readonly<Record<string, string>> | undefined>>
}

/** What an `ui` instruction says of the look; what it leaves out stays. */
export function lookOf(ui: Ui, before: Look): Look {
  const theme = themeOf(ui.theme) ?? before.theme
  const isDark = theme === 'dark' || (theme === 'auto' && matchMedia('(prefers-color-scheme:dark)').matches)
  const color =
    ui.cssVarsPerTheme?.[isDark ? 'dark' : 'light']?.['cal-brand'] ?? ui.styles?.branding?.brandColor
  const hide = ui.hideEventTypeDetails
  return {
    theme,
    color: hexOf(color) ?? before.color,
    hideDetails: hide === undefined ? before.hideDetails : hide === true,
  }
}

/** A colour in any notation of CSS, as pages read it. */
function hexOf(color: unknown): string | undefined {
  const context = document.createElement('canvas').getContext('2d')
  if (context === null || !CSS.supports('color', String(color))) return undefined
  context.fillStyle = String(color)
  return /^#[\da-f]{6}$/.exec(context.fillStyle)?.[0]
}
