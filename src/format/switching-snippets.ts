/** What a site has that was made for another service, with the one address in it that changes. `/docs/switching` shows these. */

interface Switch {
  readonly title: string
  readonly before: string
  readonly after: string
}

/** The same code twice: with the address that it had, and with ours. */
const both = (title: string, before: string, after: string, code: (address: string) => string): Switch => ({
  title,
  before: code(before),
  after: code(after),
})

export const programSwitch = (service: string): Switch =>
  both(
    'Finding a time and booking it',
    'https://api.cal.com',
    service,
    (
      address,
    ) => `curl '${address}/v2/slots?eventTypeSlug=talk&username=ada&start=2030-01-31&end=2030-02-06' \\
  -H 'cal-api-version: 2024-09-04'
curl -X POST ${address}/v2/bookings \\
  -H 'cal-api-version: 2024-08-13' -H 'content-type: application/json' \\
  -d '{ "eventTypeSlug": "talk", "username": "ada", "start": "2030-01-31T09:00:00Z",
        "attendee": { "name": "Grace", "email": "grace@example.com", "timeZone": "Europe/Berlin" } }'`,
  )

export const calcomSwitches = (service: string, link: string): readonly Switch[] => [
  both(
    'The snippet, in the page, in a dialog or behind a button',
    'https://app.cal.com/embed/embed.js',
    `${service}/embed/embed.js`,
    (address) => `<script>
  (function (C, A, L) { … })(window, "${address}", "init");
  Cal("init", "talk", { origin: "https://app.cal.com" });
  Cal.ns.talk("inline", {
    elementOrSelector: "#booking",
    calLink: "${link}",
    config: { name: "Grace", theme: "light" },
  });
  Cal.ns.talk("on", {
    action: "bookingSuccessfulV2",
    callback: ({ detail }) => count(detail.data.uid),
  });
</script>
<button data-cal-link="${link}" data-cal-namespace="talk">Book</button>`,
  ),
  {
    title: 'React, with @calcom/embed-react',
    before: `<Cal calLink="${link}" />
const cal = await getCalApi()`,
    after: `<Cal calLink="${link}" embedJsUrl="${service}/embed/embed.js" />
const cal = await getCalApi({ embedJsUrl: "${service}/embed/embed.js" })`,
  },
]

export const calendlySwitches = (service: string, link: string): readonly Switch[] => [
  both(
    'The widget, in the page, in a dialog or behind a badge',
    'https://assets.calendly.com',
    service,
    (address) => `<link href="${address}/assets/external/widget.css" rel="stylesheet">
<script src="${address}/assets/external/widget.js" async></script>
<div class="calendly-inline-widget" data-url="https://calendly.com/${link}"></div>
<a href="" onclick="Calendly.initPopupWidget({ url: 'https://calendly.com/${link}' }); return false">Book</a>
<script>
  addEventListener("message", ({ origin, data }) => {
    if (origin === "https://calendly.com" && data.event === "calendly.event_scheduled")
      count(data.payload.invitee.uri);
  });
</script>`,
  ),
  both(
    'React, with react-calendly',
    'https://calendly.com',
    service,
    (address) => `<InlineWidget url="${address}/${link}" prefill={{ name: "Grace" }} />
useCalendlyEventListener({ onEventScheduled: ({ data }) => count(data.payload.invitee.uri) })`,
  ),
]

/** The same alive, without inline scripts: a page of ours may have none. `base` is the path of this service. */
export const calcomExample = (base: string, link: string): string =>
  `<button type="button" data-cal-link="${link}">Book a time</button>
<script src="${base}/embed/embed.js" async></script>`

export const calendlyExample = (base: string, link: string): string =>
  `<div class="calendly-inline-widget" data-resize="true" data-url="https://calendly.com/${link}"></div>
<script src="${base}/assets/external/widget.js" async></script>`
