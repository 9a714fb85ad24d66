import type { EndedLinkData } from '../../src/http/pages/page-data.ts'
import { withCarriedQuery } from '../parts/embedding.ts'
import { Frame, Host } from '../parts/frame.tsx'
import { bookingMadeWith } from '../parts/meeting/link-bookings.ts'
import { useSpeech } from '../parts/texts.tsx'

/** Says why a private link no longer works, and leads to the booking that was made with it in this browser. */
export function EndedLinkPage({ data }: { readonly data: EndedLinkData }) {
  const { tell } = useSpeech()
  const own = bookingMadeWith(data.token)
  return (
    <Frame {...data}>
      <main className="card manage">
        <Host host={data.host} />
        <h1>{data.heading}</h1>
        <p className="muted">{data.hint}</p>
        {own && (
          <a className="button" href={withCarriedQuery(`${data.base}/booking/${own.id}?token=${own.token}`)}>
            {tell('toYourBooking')}
          </a>
        )}
      </main>
    </Frame>
  )
}
