import {
  floatingSnippet,
  inlineSnippet,
  policySnippet,
  popupSnippet,
  ROOM_SNIPPET,
  reactSnippet,
  scriptSnippet,
} from '../../format/embed-snippets.ts'
import { type Html, html } from '../../format/text/html.ts'
import { guideRoutes, live, type Shown } from './guide.ts'

/** How to embed Punctual on another site, with live examples. */
export const embedDocsRoutes = guideRoutes({
  path: '/docs/embed',
  title: 'Punctual on your own site',
  style: '.page { grid-template-columns: minmax(0, 60rem); }',
  render,
})

function render(shown: Shown): Html {
  const { service, base, link, offered } = shown
  return html`<p><a href="${base}/docs">API reference</a></p>
<h1>Punctual on your own site</h1>
<div class="prose"><p>One script, without dependencies. It shows booking pages and routing forms in its own frame: in the
page, in a dialog, or behind a button in the corner. The examples below are alive${
    offered
      ? html`, and book <code>${link}</code>`
      : html` once there is something to show: open <code>/docs/embed?link=your-name/your-event</code>`
  }.</p></div>
<h2 id="inline">In the page</h2>
${code('In the page', inlineSnippet(service, link))}
${live(shown, alone(inlineSnippet))}
<p class="prose">The frame is as high as what is in it. The script keeps room before it knows how much that is; if your page is
painted before the script has come, keep it in your own style sheet, and nothing moves. These are the heights of a booking page as
wide as the window:</p>
${code('Room for it', ROOM_SNIPPET)}
<h2 id="popup">In a dialog</h2>
<p class="prose">Any element can open it. Nothing is loaded before it does.</p>
${code('In a dialog', popupSnippet(service, link))}
${live(shown, alone(popupSnippet))}
<h2 id="floating">A button in the corner</h2>
${code('A button in the corner', floatingSnippet(service, link))}
<h2 id="options">Options</h2>
<table><caption>Options</caption><thead><tr><th scope="col">Option</th><th scope="col">Meaning</th></tr></thead><tbody>
${OPTIONS.map(([name, attribute, meaning]) => html`<tr><th scope="row"><code>${name}</code>${attribute !== '' && html`<span class="type"><code>${attribute}</code></span>`}</th><td>${meaning}</td></tr>`)}
</tbody></table>
<p class="prose">An attribute that cannot be read is left out, and named in the console. Other widgets of the page are not
affected.</p>
<h2 id="script">By script</h2>
<p class="prose">In a script that runs after <code>embed.js</code>, such as a deferred one below it.
<code>Punctual.inline(element, options)</code>, <code>Punctual.popup(element, options)</code> and
<code>Punctual.floating(options)</code> return what can be destroyed; a popup can be opened and closed.
<code>Punctual.scan()</code> finds elements that were added later.</p>
${code('By script', scriptSnippet(link))}
<h2 id="events">Events</h2>
<p class="prose"><code>Punctual.on(event, handler)</code> and <code>Punctual.off(event, handler)</code>. A handler receives the
<code>event</code>, the <code>link</code>, the <code>widget</code>, and ids. Nothing about the visitor ever crosses: who booked what is
for your server, by webhook.</p>
<table><caption>Events</caption><thead><tr><th scope="col">Event</th><th scope="col">When, and what comes along</th></tr></thead><tbody>
${EVENTS.map(([name, meaning]) => html`<tr><th scope="row"><code>${name}</code></th><td>${meaning}</td></tr>`)}
</tbody></table>
<h2 id="react">In React</h2>
<p class="prose">The package is in <code>embed/</code> of the repository, typed and ready to publish.</p>
${code('In React', reactSnippet(service, link))}
<h2 id="policy">A strict Content-Security-Policy</h2>
<p class="prose">These are all it takes. The script writes no inline style and no inline script.</p>
${code('Content-Security-Policy', policySnippet(service))}
<h2 id="origins">Where it may be shown</h2>
<p class="prose">Everywhere, unless the host names the sites (<code>allowedOrigins</code> of the event type). Then browsers refuse the
frame elsewhere. A routing form or a profile may be shown where all event types may that it leads to.</p>
${offered && { html: floatingSnippet(base, link) }}`
}

/** Without its script: one serves all examples of a page. */
function alone(snippet: typeof inlineSnippet): typeof inlineSnippet {
  return (service, link) => snippet(service, link).replace(/\n<script .*<\/script>$/, '')
}

function code(label: string, text: string): Html {
  return html`<figure class="request"><pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre></figure>`
}

const OPTIONS: readonly (readonly [name: string, attribute: string, meaning: string])[] = [
  ['link', '', 'What to show: user, user/event or user/forms/form.'],
  [
    'prefill',
    'data-punctual-prefill',
    'What you know of the visitor, as an object (in the attribute: as JSON): name, email, phone, notes, or the key of a question; several choices as a list. It travels from your page to the frame, in no address and past no server.',
  ],
  ['utm', '', 'The campaign. Without it, utm_… parameters of your page’s address are passed on.'],
  [
    'theme',
    'data-punctual-theme',
    'light, dark, or auto for that of the visitor’s system; otherwise that of the page around the widget.',
  ],
  ['locale', 'data-punctual-locale', 'Such as de; otherwise what the visitor’s browser prefers.'],
  ['hideDetails', 'data-punctual-hide-details', 'Leaves out who and what it is about.'],
  ['title', 'data-punctual-title', 'The name of the frame or dialog, for screen readers.'],
  [
    'minHeight',
    'data-punctual-min-height',
    'Pixels kept free for an inline widget, so that nothing moves when it appears. By itself, it estimates them from the width.',
  ],
  [
    'text, color, textColor, position',
    'data-punctual-text, …-color, …-text-color, …-position',
    'Of the button in the corner; position is left or right.',
  ],
]

const EVENTS: readonly (readonly [name: string, meaning: string])[] = [
  ['ready', 'The page can be used: eventTypeId, formId or bookingId, whichever it is about.'],
  ['slotSelected', 'A time was chosen: eventTypeId.'],
  ['submitting', 'Something was sent: eventTypeId or formId.'],
  ['booked', 'It was booked, or asked for, and paid if it costs something: eventTypeId, bookingId.'],
  ['rescheduled', 'A booking was moved: bookingId.'],
  ['cancelled', 'A booking was cancelled: bookingId.'],
  ['routed', 'A form led somewhere: formId and, if to an event type, eventTypeSlug.'],
  ['failed', 'Something was refused: the id of what, and the HTTP status (0: no answer).'],
  ['height', 'The page has another height, in pixels.'],
]
