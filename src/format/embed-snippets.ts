/** The HTML that embeds a widget. The developer page shows these snippets, and the tests run them. */

/** Inline in the page. */
export const inlineSnippet = (service: string, link: string) => `<div data-punctual="${link}"></div>
<script src="${service}/embed.js" defer></script>`

/** In a popup, opened by any element. */
export const popupSnippet = (
  service: string,
  link: string,
) => `<button type="button" data-punctual-popup="${link}">Book a time</button>
<script src="${service}/embed.js" defer></script>`

/** Behind a floating button. */
export const floatingSnippet = (service: string, link: string) =>
  `<script src="${service}/embed.js" defer data-punctual-floating="${link}"></script>`

/** The same by script, with all options. */
export const scriptSnippet = (link: string) => `const widget = Punctual.inline('#booking', {
  link: '${link}',
  prefill: { name: 'Ada Guest', email: 'ada@example.org', notes: 'About the engine.' },
  theme: 'light',
  locale: 'de',
  hideDetails: true,
})
const stop = Punctual.on('booked', ({ bookingId, eventTypeId }) => {
  document.title = \`Booked: \${bookingId}\`
})`

export const reactSnippet = (
  service: string,
  link: string,
) => `import { PunctualInline } from 'punctual-embed/react'

export function Booking() {
  return (
    <PunctualInline
      service="${service}"
      link="${link}"
      prefill={{ name: 'Ada Guest' }}
      onBooked={({ bookingId }) => {
        document.title = \`Booked: \${bookingId}\`
      }}
    />
  )
}`

/** Reserves space for a booking page before the script has loaded. */
export const ROOM_SNIPPET = `[data-punctual] { min-height: 600px }
@media (width < 992px) { [data-punctual] { min-height: 820px } }
@media (width < 640px) { [data-punctual] { min-height: 1180px } }`

/** What a strict Content-Security-Policy must allow. */
export const policySnippet = (service: string) => {
  const { origin } = new URL(service)
  return `script-src ${origin}; frame-src ${origin}`
}
