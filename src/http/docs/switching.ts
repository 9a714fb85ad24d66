import { policySnippet } from '../../format/embed-snippets.ts'
import {
  calcomExample,
  calcomSwitches,
  calendlyExample,
  calendlySwitches,
  programSwitch,
} from '../../format/switching-snippets.ts'
import { type Html, html } from '../../format/text/html.ts'
import { guideRoutes, live, type Shown } from './guide.ts'

const STYLE = `
.page { grid-template-columns: minmax(0, 76rem); }
h3 { margin: 2rem 0 0.75rem; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 0 1.25rem; margin-top: 1rem; }
.sides figure { min-width: 0; }
.ask { display: flex; flex-wrap: wrap; align-items: end; gap: 0.75rem; margin: 1.5rem 0; }
.ask label { display: grid; gap: 0.25rem; }
.ask input, .ask button { font: inherit; padding: 0.5rem 0.75rem; }
.sides pre { white-space: pre-wrap; overflow-wrap: anywhere; }
`

/** How a site, a program and a team come here from Cal.com or Calendly: before, after, and what differs. */
export const switchingDocsRoutes = guideRoutes({
  path: '/docs/switching',
  title: 'Switching to Punctual',
  style: STYLE,
  render,
})

function render(shown: Shown): Html {
  const { service, base, link, offered } = shown
  return html`<p><a href="${service}/docs">API reference</a> · <a href="${service}/docs/embed">The widget</a></p>
<h1>Switching to Punctual</h1>
<div class="prose"><p>What was made for Cal.com or Calendly works here after one change: an address. Links such as
<code>ada/talk</code> stay the same if people and event types have the same names here.</p></div>
<form class="ask" action="${base}/docs/switching">
<label>Your link on this service <input name="link" value="${link}" pattern="[a-z0-9\\-]+/(forms/)?[a-z0-9\\-]+" required></label>
<button>Show it</button>
</form>
<p class="prose">${
    offered
      ? html`The examples below are alive, and book <code>${link}</code>.`
      : html`With a link that can be booked here, the examples below are alive.`
  }</p>
<h2 id="site">A site</h2>
<h3 id="calcom">From Cal.com</h3>
<p class="prose">Change the address of <code>embed.js</code>. An <code>origin</code> may stay as it is: the script shows pages of the
service that it came from.</p>
${calcomSwitches(service, link).map(sideBySide)}
${live(shown, calcomExample)}
${table('What is understood of Cal.com’s embed', 'Instruction or event', CALCOM)}
<h3 id="calendly">From Calendly</h3>
<p class="prose">Change the address of <code>widget.js</code> and <code>widget.css</code>. A <code>data-url</code> may stay as it is, and so
may listeners that test for the origin <code>https://calendly.com</code>.</p>
${calendlySwitches(service, link).map(sideBySide)}
${live(shown, calendlyExample)}
${table('What is understood of Calendly’s widget', 'Function or message', CALENDLY)}
<h3 id="differs">What differs on a site</h3>
${table('What differs on a site', 'What', DIFFERENCES)}
<h3 id="policy">A strict Content-Security-Policy</h3>
<p class="prose">These are all it takes, with <code>style-src</code> of this service for Calendly’s badge. The scripts write no inline style
and no inline script.</p>
${code('Content-Security-Policy', policySnippet(service))}
<h2 id="program">A program</h2>
<h3 id="api">From Cal.com’s API v2</h3>
<p class="prose">Programs written for Cal.com’s API v2 change its address, and use an API token of this service as bearer (<em>API
tokens</em> in the dashboard). Slots and bookings need none, as there. <a href="${service}/v2/openapi.json">The OpenAPI document</a> lists
what is served; anything else is 404.</p>
${sideBySide(programSwitch(service))}
${table('What differs for a program', 'What', PROGRAMS)}
<h2 id="webhooks">Webhooks</h2>
<p class="prose">A webhook has a <code>format</code>: <code>standard</code> is ours, signed as <a
href="https://www.standardwebhooks.com">Standard Webhooks</a> are; <code>calcom</code> and <code>calendly</code> send what receivers of these
services expect, signed with a secret of your own. Choose it in the dashboard, or when the webhook is created.</p>
${table('Formats of webhooks', 'Format', WEBHOOKS)}
<h2 id="team">A team</h2>
<p class="prose">People, teams, hours, event types, forms, workflows and bookings come along: <em>Move in</em> in the dashboard, or
<code>punctual import</code> on the command line, reads Cal.com’s database, a dump of it, its API, or Calendly’s. It says first what
becomes of everything, mails nobody, and can be undone until the first new booking. Old links lead to their new place.</p>`
}

type Row = readonly [what: string, meaning: string]

function sideBySide({ title, before, after }: ReturnType<typeof calcomSwitches>[number]): Html {
  return html`<section aria-label="${title}">
<h4>${title}</h4>
<div class="sides">${code('Before', before, `${title}: before`)}${code('After', after, `${title}: after`)}</div>
</section>
`
}

function code(caption: string, text: string, label = caption): Html {
  // A region that scrolls must be reachable by keyboard, and so it needs a name.
  return html`<figure class="request"><figcaption>${caption}</figcaption><pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre></figure>`
}

function table(caption: string, head: string, rows: readonly Row[]): Html {
  return html`<table><caption>${caption}</caption><thead><tr><th scope="col">${head}</th><th scope="col">Here</th></tr></thead><tbody>
${rows.map(([what, meaning]) => html`<tr><th scope="row"><code>${what}</code></th><td>${meaning}</td></tr>`)}
</tbody></table>`
}

const PROGRAMS: readonly Row[] = [
  [
    'uid',
    'Whoever has it can open, move and cancel the booking, as there, also by links that a program makes of it: /booking/{uid} and /reschedule/{uid}. Those who may only look get the bare id.',
  ],
  ['id, eventTypeId', 'Numbers of ours. They never change and are never used again.'],
  ['cal-api-version', 'Chooses the shapes, by group; without it, the oldest.'],
  ['reschedule', 'The booking keeps its uid.'],
  ['seats', 'Each seat is a booking of its own; its uid is its seatUid.'],
  ['blocklist, rate limits', 'Those of this service hold.'],
  [
    'CAPTCHA',
    'Their API has none. A program of the event type’s own people sends their API token, and is asked for none. Any other sends a solved challenge as captchaToken, in the body of bookings and reservations; the guide of the event type (.md) says how to solve it.',
  ],
  [
    'emailVerificationCode',
    'The code that bookings/verification/email/send-code mails to the guest. It is for one event type: add eventTypeId, unless username has only one that asks for codes. verify-code and check are left out: a booking checks its code.',
  ],
  [
    'slots/reservations',
    'Keep a time as our holds do. PATCH moves one under the same uid, or makes it last longer; if the new time is taken, it stays.',
  ],
  [
    'uids from Cal.com',
    'Imported bookings open with them. Each client can try 30 a minute, so that nobody guesses one; people who host the booking are not counted.',
  ],
]

const WEBHOOKS: readonly Row[] = [
  [
    'calcom',
    'triggerEvent, createdAt and payload, with X-Cal-Signature-256. A payload template is refused. BOOKING_REASSIGNED is sent for every hand-over, not for round robin alone.',
  ],
  [
    'calendly',
    'invitee.created, invitee.canceled and others, with Calendly-Webhook-Signature. A move is a cancellation and a new invitee, linked. It has no events for a hand-over or a changed link, so nothing is sent then.',
  ],
]

const CALCOM: readonly Row[] = [
  ['init, Cal.ns, Cal.q', 'With namespaces, and whatever was queued before the script came.'],
  ['inline', 'elementOrSelector, calLink, config. Twice into one element is ignored.'],
  [
    'modal, data-cal-link',
    'Also data-cal-namespace and data-cal-config. What was typed is kept until it is booked.',
  ],
  [
    'floatingButton',
    'Text, colours, position, and attributes.id, by which a second call changes the same button.',
  ],
  [
    'ui',
    'theme, the brand colour in styles or cssVarsPerTheme, hideEventTypeDetails, also while the page is shown.',
  ],
  ['preload, prerender', 'Opens the connection. Pages are loaded when they are shown.'],
  ['closeModal, on, off', 'As there. Events are dispatched on the window, too.'],
  [
    'config',
    'name, email, notes, guests, the keys of your questions, theme, month, date, slot, duration, rescheduleUid, iframeAttrs.id. Answers travel by message, not in an address.',
  ],
  ['linkReady, linkFailed, bookerReady', 'linkFailed has the status as its code.'],
  [
    'bookingSuccessful, …V2',
    'Also rescheduleBookingSuccessful and …V2, with uid, startTime, endTime, status, and the number of the event type.',
  ],
  ['bookingCancelled, eventTypeSelected, routed', 'As there. A * listener hears all of these.'],
]

const CALENDLY: readonly Row[] = [
  ['.calendly-inline-widget', 'data-url, data-resize, data-auto-load.'],
  ['initInlineWidget, initPopupWidget', 'url, parentElement, prefill, utm, pageSettings, resize.'],
  ['initBadgeWidget, destroyBadgeWidget', 'text, color, textColor.'],
  ['showPopupWidget, closePopupWidget', 'As there.'],
  [
    'prefill',
    'name or firstName and lastName, email, guests, date, and customAnswers: a1 is the first question. Answers travel by message; with react-calendly, in the address of the frame.',
  ],
  ['utm', 'Also utm_… of your page’s own address.'],
  [
    'hide_…, …_color',
    'Details of the event type and of the profile. Colours in which everything can be read.',
  ],
  ['profile_page_viewed, event_type_viewed', 'As there.'],
  ['date_and_time_selected, page_height', 'As there.'],
  [
    'event_scheduled',
    'With URIs of this service, the same as in webhooks. A move is one, too, with new URIs.',
  ],
]

const DIFFERENCES: readonly Row[] = [
  [
    'Names and addresses',
    'No event has any: fields that hold them there are empty strings. Who booked what is for your server, by webhook.',
  ],
  ['uid', 'Names a booking, and opens nothing: whoever reads your page’s events can’t cancel it.'],
  [
    'Origins',
    'A page of Cal.com’s script has the origin of this service, whatever origin is given to init. Of Calendly’s messages there are two: the real one from this service, and one with Calendly’s origin that exists in your page alone. Count only one of them.',
  ],
  ['team/acme/intro', 'Teams have the same addresses here as people: it leads to acme/intro.'],
  ['layout', 'Ignored: there is one, which fits its width.'],
  ['styles, cssVarsPerTheme', 'Only the brand colour.'],
  ['Cal Video, routers of several users', 'Not here: user1+user2/event is not found.'],
  [
    'Payments',
    'Guests pay in a tab beside your page. bookingSuccessful and event_scheduled come once it is paid; Cal.com’s comes before. paymentRequired is false: nothing is left to pay.',
  ],
  ['Dialogs', 'Are dialogs of the browser: Escape closes them, and the keyboard stays in them.'],
  ['hide_gdpr_banner', 'Ignored: our pages have no such banner.'],
  ['react-calendly', 'Its style sheet loads a picture for the close button from Calendly.'],
]
