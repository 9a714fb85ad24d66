/** What a site writes to have a widget. The page of developers shows these, and the tests run them. */

/** For where the widget stands on the page. */
export const inlineSnippet = (service: string, link: string) => `<div data-punctual="${link}"></div>
<script src="${service}/embed.js" defer></script>`

/** For a button, a link, or anything else that opens it. */
export const popupSnippet = (
  service: string,
  link: string,
) => `<button type="button" data-punctual-popup="${link}">Book a time</button>
<script src="${service}/embed.js" defer></script>`

/** For a button that stays in the corner. */
export const floatingSnippet = (service: string, link: string) =>
  `<script src="${service}/embed.js" defer data-punctual-floating="${link}"></script>`

/** The same by script, which knows more. */
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

/** Room for a booking page, for a site that is painted before the script has come. */
export const ROOM_SNIPPET = `[data-punctual] { min-height: 600px }
@media (width < 992px) { [data-punctual] { min-height: 820px } }
@media (width < 640px) { [data-punctual] { min-height: 1180px } }`

/** What a site with a strict Content-Security-Policy has to allow. */
export const policySnippet = (service: string) => {
  const { origin } = new URL(service)
  return `script-src ${origin}; frame-src ${origin}`
}
