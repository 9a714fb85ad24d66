import { type Block, plainText } from '../domain/messages/markup.ts'
import type { CalendarLink } from '../format/calendar-links.ts'
import { accentOf } from '../format/contrast.ts'
import { initialsOf } from '../format/initials.ts'
import { messageHtml } from '../format/message-body.ts'
import { type Html, asciiHtml as html, inAscii } from '../format/text/html.ts'

/** Everything a mail shows, from top to bottom. */
export interface MailContent {
  /** A BCP 47 tag. */
  readonly language: string
  readonly brand: MailBrand
  readonly heading: string
  /** Mail programs also show it beside the subject. */
  readonly lead: string
  /** The host's own words, which stand in place of heading and lead. */
  readonly opening?: readonly Block[] | undefined
  /** Rows before the time. */
  readonly above?: readonly MailRow[]
  readonly whenLabel: string
  /** Undefined if the mail is not about a meeting. */
  readonly when: ShownTime | undefined
  /** The meeting does not take place at `when`. */
  readonly off: boolean
  readonly rows: readonly MailRow[]
  readonly buttons: readonly { readonly label: string; readonly href: string }[]
  readonly calendars: { readonly label: string; readonly links: readonly CalendarLink[] } | undefined
  readonly footer: string
  /** Ends mails that are not about a coming meeting. */
  readonly unsubscribe?: { readonly label: string; readonly href: string } | undefined
}

/** In the reader's language and time zone. */
interface ShownTime {
  readonly date: string
  readonly time: string
  readonly zone: string
}

interface MailBrand {
  readonly name: string
  readonly colour: string
  /** A picture on our own server, or empty: any other server would learn when the mail is read. */
  readonly imageUrl: string
}

export interface MailRow {
  readonly label: string
  /** May have several lines. */
  readonly value: string
  /** Shown on its own line below the value. */
  readonly link?: { readonly text: string; readonly href: string }
  /** Shown struck through. */
  readonly past?: boolean
  /** Pictures on our own server, or initials where the URL is empty. */
  readonly pictures?: readonly { readonly url: string; readonly initials: string }[]
}

/** The colours of the pages. */
export const MAIL_COLOURS = {
  light: {
    page: '#f3f1ea',
    paper: '#ffffff',
    panel: '#f7f6f2',
    line: '#e5e2d9',
    ink: '#1d1c1a',
    quiet: '#5d5a53',
  },
  dark: {
    page: '#131417',
    paper: '#1b1c20',
    panel: '#232428',
    line: '#313238',
    ink: '#ecebe7',
    quiet: '#a9a79f',
  },
} as const

const { light: LIGHT, dark: DARK } = MAIL_COLOURS
const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const TABLE: Html = { html: 'role="presentation" cellpadding="0" cellspacing="0" border="0"' }
const STRUCK = 'text-decoration:line-through;'

/**
 * One column of tables with inline styles, which every mail program understands. The style sheet adds dark mode and
 * narrow screens for programs that support it.
 */
export function writeHtml(content: MailContent): string {
  const { brand, when } = content
  const look = lookOf(brand.colour)
  return html`<!doctype html>
<html lang="${content.language}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${content.heading}</title>
${look.styleSheet}
</head>
<body class="page" style="margin:0;padding:0;background:${LIGHT.page};">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all;">${content.lead}</div>
<table ${TABLE} class="page" width="100%" style="background:${LIGHT.page};">
<tr><td align="center" style="padding:24px 12px;">
<table ${TABLE} class="paper" width="100%" style="max-width:560px;background:${LIGHT.paper};border-radius:14px;overflow:hidden;text-align:left;">
<tr><td class="fill" bgcolor="${look.fill}" style="height:6px;font-size:0;line-height:0;background:${look.fill};">&nbsp;</td></tr>
<tr><td class="inner ink" style="padding:28px 32px 32px;${FONT};font-size:16px;line-height:1.5;color:${LIGHT.ink};">
${header(brand, look)}
${openingOf(content, look)}
${rowsOf(content.above ?? [], look, 'margin:-8px 0 12px;')}
${when && meetingOf(when, content.off, look)}
${rowsOf(content.rows, look, 'margin-top:12px;')}
${content.buttons.length > 0 && html`<table ${TABLE} style="margin-top:28px;"><tr>${content.buttons.map((button) => buttonOf(button, look))}</tr></table>`}
${content.calendars && calendarsOf(content.calendars, look)}
</td></tr>
</table>
<table ${TABLE} width="100%" style="max-width:560px;text-align:left;">
<tr><td class="quiet" style="padding:16px 20px 0;${FONT};font-size:12px;line-height:1.5;color:${LIGHT.quiet};" dir="auto">${content.footer}${content.unsubscribe && html` <a class="quiet" href="${content.unsubscribe.href}" style="color:${LIGHT.quiet};">${content.unsubscribe.label}</a>`}</td></tr>
<tr><td class="quiet" style="padding:12px 20px 0;${FONT};font-size:12px;line-height:20px;color:${LIGHT.quiet};">${MARK}&nbsp; Punctual</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`.html
}

/** Our mark in letters, since a picture would have to be loaded. */
const MARK: Html = {
  html: '<span aria-hidden="true" style="display:inline-block;padding:0 5px;border-radius:5px;background:#0f766e;color:#ffffff;font-weight:700;">P<span style="color:#fcd34d;">.</span></span>',
}

/** What depends on the colour of a brand. */
interface Look {
  readonly fill: string
  readonly onFill: string
  readonly link: string
  readonly styleSheet: Html
}

const MAX_LOOKS = 500
const looks = new Map<string, Look>()

/** Finding readable colours takes longer than writing the rest of the mail, so they are kept. */
function lookOf(colour: string): Look {
  let look = looks.get(colour)
  if (look === undefined) {
    const { fill, onFill, text } = accentOf(colour)
    look = {
      fill: fill.light,
      onFill: onFill.light,
      link: text.light,
      styleSheet: styleSheet(fill.dark, onFill.dark, text.dark),
    }
    if (looks.size >= MAX_LOOKS) looks.clear()
    looks.set(colour, look)
  }
  return look
}

function styleSheet(fill: string, onFill: string, link: string): Html {
  return {
    html: `<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) {
  .inner { padding: 24px 20px 28px !important; }
  .label, .value { display: block !important; width: auto !important; }
  .label { padding-bottom: 0 !important; }
  .value { padding-top: 2px !important; border-top: 0 !important; }
}
@media (prefers-color-scheme: dark) {
  .page { background: ${DARK.page} !important; }
  .paper { background: ${DARK.paper} !important; }
  .panel { background: ${DARK.panel} !important; }
  .ink { color: ${DARK.ink} !important; }
  .quiet { color: ${DARK.quiet} !important; }
  .label, .value { border-color: ${DARK.line} !important; }
  .link { color: ${link} !important; }
  .fill { background: ${fill} !important; border-color: ${fill} !important; color: ${onFill} !important; }
}
</style>`,
  }
}

/** What the mail begins with: our words, or the host's own. */
function openingOf({ heading, lead, opening }: MailContent, look: Look): Html {
  if (opening !== undefined) return { html: inAscii(messageHtml(opening, look.link).html) }
  return html`<h1 style="margin:0 0 8px;font-size:26px;line-height:1.2;font-weight:700;letter-spacing:-0.02em;">${heading}</h1>
<p style="margin:0 0 24px;overflow-wrap:anywhere;" dir="auto">${lead}</p>`
}

/** The host's picture, or their initials, beside their name. */
function header({ name, imageUrl }: MailBrand, { fill, onFill }: Look): Html {
  const picture =
    imageUrl !== ''
      ? html`<td style="padding-right:12px;"><img src="${imageUrl}" alt="" height="40" style="display:block;height:40px;max-width:160px;border:0;border-radius:8px;"></td>`
      : html`<td class="fill" aria-hidden="true" bgcolor="${fill}" width="40" height="40" align="center" style="width:40px;height:40px;border-radius:20px;background:${fill};color:${onFill};font-size:15px;line-height:40px;font-weight:700;">${initialsOf(name)}</td><td style="width:12px;"></td>`
  return html`<table ${TABLE} style="margin:0 0 24px;"><tr>${picture}<td style="font-size:15px;line-height:1.3;font-weight:600;overflow-wrap:anywhere;" dir="auto">${name}</td></tr></table>`
}

function meetingOf({ date, time, zone }: ShownTime, off: boolean, { fill }: Look): Html {
  return html`<table ${TABLE} class="panel" width="100%" style="background:${LIGHT.panel};border-radius:10px;overflow:hidden;">
<tr><td class="fill" bgcolor="${fill}" width="5" style="width:5px;font-size:0;background:${fill};">&nbsp;</td><td style="padding:16px 20px;">
<div style="font-size:19px;line-height:1.35;font-weight:650;${off && STRUCK}">${date}<br>${time}</div>
<div class="quiet" style="margin-top:4px;font-size:14px;color:${LIGHT.quiet};">${zone}</div>
</td></tr>
</table>`
}

function rowsOf(rows: readonly MailRow[], look: Look, style: string): Html | false {
  if (rows.length === 0) return false
  return html`<table class="rows" width="100%" cellpadding="0" cellspacing="0" border="0" style="${style}">\n${rows.map((row, index) => rowOf(row, look, index === 0))}</table>`
}

function rowOf({ label, value, link, past, pictures = [] }: MailRow, look: Look, first: boolean): Html {
  const border = first ? '' : `border-top:1px solid ${LIGHT.line};`
  const lines = value.split('\n').map((line, index) => (index === 0 ? line : html`<br>${line}`))
  const target =
    link &&
    html`${value !== '' && BREAK}<a class="link" href="${link.href}" style="color:${look.link};">${link.text}</a>`
  return html`<tr><th class="label quiet" scope="row" align="left" valign="top" width="112" style="width:112px;padding:12px 12px 12px 0;${border}font-size:14px;line-height:24px;font-weight:400;color:${LIGHT.quiet};overflow-wrap:anywhere;word-break:break-word;" dir="auto">${label}</th>
<td class="value" valign="top" style="padding:12px 0;${border}overflow-wrap:anywhere;word-break:break-word;${past && STRUCK}" dir="auto">${pictures.map((picture) => pictureOf(picture, look))}${lines}${target}</td></tr>
`
}

function pictureOf(
  { url, initials }: NonNullable<MailRow['pictures']>[number],
  { fill, onFill }: Look,
): Html {
  const box =
    'display:inline-block;width:28px;height:28px;margin-right:8px;border-radius:14px;vertical-align:middle;'
  return url === ''
    ? html`<span class="fill" aria-hidden="true" style="${box}background:${fill};color:${onFill};font-size:12px;line-height:28px;font-weight:700;text-align:center;">${initials}</span>`
    : html`<img src="${url}" alt="" width="28" height="28" style="${box}border:0;object-fit:cover;">`
}

const BREAK: Html = { html: '<br>' }

function buttonOf({ label, href }: MailContent['buttons'][number], { fill, onFill }: Look): Html {
  return html`<td class="fill" bgcolor="${fill}" style="border-radius:10px;background:${fill};"><a class="fill" href="${href}" style="display:inline-block;padding:13px 22px;${FONT};font-size:16px;font-weight:600;line-height:1.25;color:${onFill};text-decoration:none;border-radius:10px;">${label}</a></td>`
}

function calendarsOf({ label, links }: NonNullable<MailContent['calendars']>, { link }: Look): Html {
  const names = links.map(
    ({ name, url }, index) =>
      html`${index > 0 && ' ·\n'}<a class="link" href="${url}" style="color:${link};">${name}</a>`,
  )
  return html`<p class="quiet" style="margin:20px 0 0;font-size:14px;color:${LIGHT.quiet};">${label}: ${names}</p>`
}

/** The same content as plain text. */
export function writeText(content: MailContent): string {
  const { when } = content
  const rows: MailRow[] = [
    ...(content.above ?? []),
    ...(when ? [{ label: content.whenLabel, value: `${when.date}\n${when.time}\n${when.zone}` }] : []),
    ...content.rows,
  ]
  return `${[
    ...(content.opening === undefined ? [content.heading, content.lead] : [plainText(content.opening)]),
    ...(rows.length > 0 ? [rows.map(textOfRow).join('\n')] : []),
    ...content.buttons.map(({ label, href }) => `${label}:\n${href}`),
    ...(content.calendars
      ? [`${content.calendars.label}:\n${content.calendars.links.map(textOfLink).join('\n')}`]
      : []),
    `-- \n${content.footer}`,
    ...(content.unsubscribe ? [`${content.unsubscribe.label}:\n${content.unsubscribe.href}`] : []),
  ].join('\n\n')}\n`
}

/** Indents all lines but the first, so that a guest's text cannot imitate a row. */
export function textOfRow({ label, value, link }: MailRow): string {
  const name = /[?:：？]$/.test(label) ? label : `${label}:`
  return `${name} ${value}${link ? `\n${link.text}` : ''}`.replaceAll('\n', '\n  ')
}

const textOfLink = ({ name, url }: CalendarLink) => `${name}: ${url}`
