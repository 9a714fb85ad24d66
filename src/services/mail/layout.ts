import type { CalendarLink } from '../../format/calendar-links.ts'
import { inkOn, readableOn } from '../../format/colour.ts'
import { type Html, html } from '../../format/html.ts'
import type { MeetingTime } from './meeting-time.ts'

/** Everything a mail about a meeting shows, from top to bottom. */
export interface MailContent {
  /** A BCP 47 tag. */
  readonly language: string
  readonly brand: { readonly name: string; readonly colour: string; readonly logoUrl: string }
  readonly heading: string
  readonly lead: string
  readonly whenLabel: string
  readonly when: MeetingTime
  /** The meeting does not take place at `when`. */
  readonly off: boolean
  readonly rows: readonly MailRow[]
  readonly buttons: readonly { readonly label: string; readonly href: string }[]
  readonly calendars: { readonly label: string; readonly links: readonly CalendarLink[] } | undefined
  readonly footer: string
}

export interface MailRow {
  readonly label: string
  /** May have several lines. */
  readonly value: string
  /** Shown on its own line below the value. */
  readonly link?: { readonly text: string; readonly href: string }
  /** Shown struck through. */
  readonly past?: boolean
}

const PAPER = '#ffffff'
const DARK_PAPER = '#1c1c1f'
const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/**
 * One column of tables with inline styles, which every mail program understands. The style sheet adds dark mode for
 * programs that support it.
 */
export function writeHtml(content: MailContent): string {
  const { brand, when } = content
  const colours = coloursFrom(brand.colour)
  const { link } = colours
  const page = html`<!doctype html>
<html lang="${content.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${content.heading}</title>
<style>${styleSheet(colours)}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f4f4f5;">
<div style="display:none;max-height:0;overflow:hidden;">${content.lead}</div>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f4f4f5;">
<tr><td align="center" style="padding:24px 12px;">
<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background:${PAPER};border-radius:12px;overflow:hidden;text-align:start;">
<tr><td bgcolor="${brand.colour}" style="height:4px;font-size:0;line-height:0;background:${brand.colour};">&nbsp;</td></tr>
<tr><td class="inner" style="padding:28px 32px 32px;${FONT};font-size:16px;line-height:1.5;color:#18181b;">
${header(brand)}
<h1 class="ink" style="margin:0 0 8px;font-size:24px;line-height:1.25;font-weight:700;color:#18181b;">${content.heading}</h1>
<p class="ink" style="margin:0 0 24px;color:#18181b;overflow-wrap:anywhere;" dir="auto">${content.lead}</p>
<table role="presentation" class="panel" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f4f4f5;border-radius:8px;">
<tr><td style="padding:16px 20px;">
<div class="ink" style="font-size:18px;line-height:1.35;font-weight:600;color:#18181b;${content.off && STRUCK}">${when.date}<br>${when.time}</div>
<div class="quiet" style="margin-top:4px;font-size:14px;color:#52525b;">${when.zone}</div>
</td></tr>
</table>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin-top:8px;">
${content.rows.map((row) => rowOf(row, link))}
</table>
${content.buttons.length > 0 && html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin-top:28px;"><tr>${content.buttons.map((button) => buttonOf(button, colours))}</tr></table>`}
${content.calendars && calendarsOf(content.calendars, link)}
</td></tr>
</table>
<p class="quiet" style="max-width:560px;margin:16px 0 0;padding:0 20px;${FONT};font-size:12px;line-height:1.5;color:#52525b;" dir="auto">${content.footer}</p>
</td></tr>
</table>
</body>
</html>
`
  return page.html
}

/** What is written in, or on, the colour of a brand. */
interface Colours {
  readonly brand: string
  readonly link: string
  readonly darkLink: string
  readonly ink: string
}

const MAX_BRANDS = 500
const brands = new Map<string, Colours>()

/** Finding readable colours takes as long as writing the rest of the mail, so they are kept. */
function coloursFrom(brand: string): Colours {
  let colours = brands.get(brand)
  if (colours === undefined) {
    const [link, darkLink] = [readableOn(brand, PAPER), readableOn(brand, DARK_PAPER)]
    colours = { brand, link, darkLink, ink: inkOn(brand) }
    if (brands.size >= MAX_BRANDS) brands.clear()
    brands.set(brand, colours)
  }
  return colours
}

const STRUCK = 'text-decoration:line-through;'

/** The colour is the only input, and has been validated. */
function styleSheet({ darkLink }: Colours): Html {
  return {
    html: `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) { .inner { padding: 24px 20px 28px !important; } }
@media (prefers-color-scheme: dark) {
  .page { background: #09090b !important; }
  .paper { background: ${DARK_PAPER} !important; }
  .panel { background: #2a2a2e !important; }
  .ink { color: #f4f4f5 !important; }
  .quiet { color: #b4b4bd !important; }
  .link { color: ${darkLink} !important; }
}
`,
  }
}

function header({ name, logoUrl }: MailContent['brand']): Html {
  const style = 'margin:0 0 20px;font-size:14px;font-weight:600;color:#52525b;overflow-wrap:anywhere;'
  if (logoUrl === '') return html`<p class="quiet" style="${style}" dir="auto">${name}</p>`
  return html`<p class="quiet" style="${style}" dir="auto"><img src="${logoUrl}" alt="${name}" height="36" style="display:block;height:36px;max-width:240px;border:0;"></p>`
}

function rowOf({ label, value, link, past }: MailRow, colour: string): Html {
  const lines = value.split('\n').map((line, index) => (index === 0 ? line : html`<br>${line}`))
  const target =
    link && html`<br><a class="link" href="${link.href}" style="color:${colour};">${link.text}</a>`
  return html`<tr><td style="padding-top:16px;">
<div class="quiet" style="font-size:13px;color:#52525b;overflow-wrap:anywhere;" dir="auto">${label}</div>
<div class="ink" style="color:#18181b;overflow-wrap:anywhere;word-break:break-word;${past && STRUCK}" dir="auto">${lines}${target}</div>
</td></tr>
`
}

function buttonOf({ label, href }: MailContent['buttons'][number], { brand: colour, ink }: Colours): Html {
  return html`<td bgcolor="${colour}" style="border-radius:8px;background:${colour};"><a href="${href}" style="display:inline-block;padding:12px 20px;${FONT};font-size:16px;font-weight:600;line-height:1.25;color:${ink};text-decoration:none;border-radius:8px;">${label}</a></td>`
}

function calendarsOf({ label, links }: NonNullable<MailContent['calendars']>, link: string): Html {
  const names = links.map(
    ({ name, url }, index) =>
      html`${index > 0 && ' · '}<a class="link" href="${url}" style="color:${link};">${name}</a>`,
  )
  return html`<p class="quiet" style="margin:20px 0 0;font-size:14px;color:#52525b;">${label}: ${names}</p>`
}

/** The same content as plain text. */
export function writeText(content: MailContent): string {
  const { when } = content
  const rows: MailRow[] = [
    { label: content.whenLabel, value: `${when.date}\n${when.time}\n${when.zone}` },
    ...content.rows,
  ]
  return `${[
    content.heading,
    content.lead,
    rows.map(textOfRow).join('\n'),
    ...content.buttons.map(({ label, href }) => `${label}:\n${href}`),
    ...(content.calendars
      ? [`${content.calendars.label}:\n${content.calendars.links.map(textOfLink).join('\n')}`]
      : []),
    `-- \n${content.footer}`,
  ].join('\n\n')}\n`
}

/** Indents all lines but the first, so that a guest's text cannot imitate a row. */
function textOfRow({ label, value, link }: MailRow): string {
  const name = /[?:：？]$/.test(label) ? label : `${label}:`
  return `${name} ${value}${link ? `\n${link.text}` : ''}`.replaceAll('\n', '\n  ')
}

const textOfLink = ({ name, url }: CalendarLink) => `${name}: ${url}`
