import { useEffect, useState } from 'react'
import type { PreviewData } from '../../src/http/pages/page-data.ts'
import { BookingPage } from '../booking/booking-page.tsx'
import { sendWith } from '../parts/api.ts'
import type { FromDashboard, PreviewedPage } from '../parts/preview-messages.ts'
import { useSpeech } from '../parts/texts.tsx'

type Answer = Extract<FromDashboard, { readonly kind: 'answer' }>

/** The booking page as it would be with settings that the dashboard around it sends. It asks the dashboard alone. */
export function PreviewPage({ data }: { readonly data: PreviewData }) {
  const { tell } = useSpeech()
  const [shown, setShown] = useState<PreviewedPage>()
  useEffect(() => {
    // Only the dashboard has something to show here.
    if (window.parent === window) return location.replace(`${data.base}/${data.host.slug}`)
    const { port1: port, port2 } = new MessageChannel()
    const waiting = new Map<number, (answer: Answer) => void>()
    port.onmessage = ({ data: message }: MessageEvent<FromDashboard>) => {
      if (message.kind === 'show') return setShown(message.page)
      waiting.get(message.id)?.(message)
      waiting.delete(message.id)
    }
    let asked = 0
    sendWith(async (address, init) => {
      // Nothing is written and nobody books: only listings are asked for.
      const url = new URL(String(address), location.href)
      if ((init?.method ?? 'GET') !== 'GET') return refusal(tell('previewOnly'))
      const id = asked++
      const answer = await new Promise<Answer>((resolve) => {
        waiting.set(id, resolve)
        port.postMessage({ id, query: Object.fromEntries(url.searchParams) })
      })
      return new Response(JSON.stringify(answer.body), { status: answer.status })
    })
    window.parent.postMessage('punctual:preview', location.origin, [port2])
    // A link would lead the frame elsewhere; another language is still the preview.
    const stay = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (link !== null && link.closest('.languages') === null) event.preventDefault()
    }
    addEventListener('click', stay)
    return () => {
      removeEventListener('click', stay)
      port.close()
    }
  }, [data, tell])
  if (shown === undefined) return null
  const { durationMinutes, durations, locations } = shown.eventType
  return (
    <BookingPage
      // What the guest has chosen may no longer be offered.
      key={JSON.stringify([durationMinutes, durations, locations.map(({ id }) => id)])}
      // A frame shares its history with the dashboard, which must not fill up.
      data={{ ...data, ...shown, page: 'booking', embed: { framers: [] } }}
    />
  )
}

const refusal = (error: string) => new Response(JSON.stringify({ error }), { status: 403 })
