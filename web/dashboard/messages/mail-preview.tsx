import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../../src/domain/languages.ts'
import { call, type ListPage, withQuery } from '../core/data/api.ts'
import { type Owner, useOne } from '../core/data/data.ts'
import { errorText } from '../core/data/errors.ts'
import type { ListedBookingView, MessageView, PreviewView } from '../core/data/views.ts'
import { Segments, Select } from '../core/fields/fields.tsx'
import { useTimes } from '../core/time/times.ts'
import { list, messageWords, tell, words } from '../words.ts'
import { contentOf } from './use-messages.ts'

interface Props {
  readonly message: MessageView
  readonly owner: Owner
  /** The language that is being written. */
  readonly language: Language
  readonly eventTypeId: string | undefined
  /** Whether the texts have errors. */
  readonly isBroken: boolean
}

const DEVICES = ['phone', 'desktop'] as const
const RECENT = '20'

/** How a message reads, saved or not: with an example or a real booking, in any language, on any screen. */
export function MailPreview({ message, owner, language, eventTypeId, isBroken }: Props) {
  const [device, setDevice] = useState<(typeof DEVICES)[number]>('phone')
  // The language that is being written, until another is chosen.
  const [reader, setReader] = useState<{ readonly language: Language; readonly writing: Language }>()
  const spoken = reader?.writing === language ? reader.language : language
  const [bookingId, setBookingId] = useState('')
  const m = messageWords
  const body = {
    message: contentOf(message, owner),
    language: spoken,
    ...(bookingId !== '' && { bookingId }),
  }
  const preview = useQuery({
    queryKey: ['preview', body],
    enabled: !isBroken,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call<PreviewView>('/messages/preview', { method: 'POST', body, signal }),
  })
  const shown = preview.data?.body
  return (
    <section className="stack" aria-label={m.preview}>
      <h3 className="label">{m.preview}</h3>
      <div className="preview-tools">
        <Segments
          label={words.preview.device}
          value={device}
          options={DEVICES.map((id) => ({ id, label: words.preview.devices[id] }))}
          onChange={setDevice}
        />
        <Select
          label={m.guestLanguage}
          hideLabel
          value={spoken}
          options={LANGUAGES.map((id) => ({ id, label: LANGUAGE_NAMES[id] }))}
          onChange={(chosen) =>
            setReader({ language: LANGUAGES.find((one) => one === chosen) ?? language, writing: language })
          }
        />
        {eventTypeId !== undefined && (
          <BookingSelect eventTypeId={eventTypeId} chosen={bookingId} onChange={setBookingId} />
        )}
      </div>
      {isBroken ? (
        <p className="hint">{m.previewStopped}</p>
      ) : preview.isError ? (
        <p className="alert">{errorText(preview.error)}</p>
      ) : (
        shown !== undefined && (
          <div className="preview-room mail-room" data-device={device}>
            {shown.sms === null ? (
              <>
                <p className="mail-subject">{shown.subject}</p>
                <MailFrame html={shown.html} device={device} />
              </>
            ) : (
              <>
                <p className="message-words" data-open="">
                  {shown.sms.text}
                </p>
                <p className="hint">{tell(m.smsLength, { count: shown.sms.segments })}</p>
              </>
            )}
          </div>
        )
      )}
    </section>
  )
}

interface BookingSelectProps {
  readonly eventTypeId: string
  readonly chosen: string
  readonly onChange: (id: string) => void
}

function BookingSelect({ eventTypeId, chosen, onChange }: BookingSelectProps) {
  const times = useTimes()
  const query = { eventTypeId, sort: '-start', limit: RECENT }
  const found = useOne<ListPage<ListedBookingView>>(withQuery('/bookings', query)).data?.body.items ?? []
  const m = messageWords
  return (
    <Select
      label={m.previewBooking}
      hideLabel
      value={chosen}
      options={[
        { id: '', label: m.example },
        ...found.map(({ id, invitee, startTime }) => ({
          id,
          label: list([invitee.name, times.moment(startTime)]),
        })),
      ]}
      onChange={onChange}
    />
  )
}

interface FrameProps {
  readonly html: string
  readonly device: string
}

/** A mail in a frame of its own: its styles stay there, and its links lead nowhere. The policy of the page runs no script in it. */
function MailFrame({ html, device }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const show = useCallback(() => {
    if (frame.current !== null) showMail(frame.current, html)
  }, [html])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another width makes another height
  useEffect(show, [show, device])
  // Firefox replaces the document once it has loaded.
  return <iframe ref={frame} title={messageWords.frame} className="mail-frame" onLoad={show} />
}

/** The policy of the page forbids styles in markup, so that they are set one by one. */
function showMail(frame: HTMLIFrameElement, html: string): void {
  const { contentDocument: page, contentWindow } = frame
  if (page === null || contentWindow === null) return
  const [, css = ''] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? []
  const source = html.replace(/<style>[\s\S]*?<\/style>/, '').replaceAll(' style="', ' data-style="')
  const mail = new DOMParser().parseFromString(source, 'text/html')
  const sheet = new (contentWindow as Window & typeof globalThis).CSSStyleSheet()
  sheet.replaceSync(css)
  page.adoptedStyleSheets = [sheet]
  page.title = mail.title
  page.documentElement.lang = mail.documentElement.lang
  for (const link of mail.querySelectorAll('a')) link.removeAttribute('href')
  page.body.replaceWith(page.adoptNode(mail.body))
  for (const element of page.querySelectorAll<HTMLElement>('[data-style]')) {
    element.style.cssText = element.getAttribute('data-style') ?? ''
  }
  // First without a height: the document is never lower than its frame.
  frame.style.height = '0'
  frame.style.height = `${page.documentElement.scrollHeight}px`
}
