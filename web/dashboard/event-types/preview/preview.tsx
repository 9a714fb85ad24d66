import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../../../src/domain/languages.ts'
import { ApiFailure } from '../../../parts/api.ts'
import type { FromDashboard, FromPreview } from '../../../parts/preview-messages.ts'
import { withBase } from '../../core/base.ts'
import { useAll } from '../../core/data/data.ts'
import { errorText } from '../../core/data/errors.ts'
import type { MemberView } from '../../core/data/views.ts'
import { Segments, Select } from '../../core/fields/fields.tsx'
import { language } from '../../core/language.ts'
import { Section } from '../../core/page.tsx'
import { useTimes } from '../../core/time/times.ts'
import { words } from '../../words.ts'
import { type Edited, listDraftSlots } from './draft-slots.ts'
import { Explanation } from './explanation.tsx'
import { previewedPage } from './previewed-page.ts'

const DEVICES = ['phone', 'desktop'] as const

/** The real booking page in a frame, as it would be with these settings, saved or not. */
export function Preview(edited: Edited) {
  const { owner } = edited
  const [device, setDevice] = useState<(typeof DEVICES)[number]>('phone')
  const [spoken, setSpoken] = useState<Language>(language())
  const [explaining, setExplaining] = useState(false)
  const frame = useRef<HTMLIFrameElement>(null)
  const problem = usePreviewedPage(frame, edited)
  const p = words.preview
  return (
    <Section id="preview" title={p.title} hint={p.hint}>
      <div className="preview-tools">
        <Segments
          label={p.device}
          value={device}
          options={DEVICES.map((id) => ({ id, label: p.devices[id] }))}
          onChange={setDevice}
        />
        <Select
          label={words.nav.language}
          hideLabel
          value={spoken}
          options={LANGUAGES.map((id) => ({ id, label: LANGUAGE_NAMES[id] }))}
          onChange={(chosen) => setSpoken(LANGUAGES.find((one) => one === chosen) ?? 'en')}
        />
      </div>
      {problem !== undefined && <p className="alert">{problem}</p>}
      {/* A region that scrolls needs no stop of its own: the frame in it has many. */}
      <div className="preview-room" data-device={device}>
        <iframe
          ref={frame}
          title={p.frame}
          src={withBase(`/app/preview/${owner.slug}?lang=${spoken}`)}
          className="preview-frame"
        />
      </div>
      <div>
        <button
          type="button"
          className="text-button"
          aria-expanded={explaining}
          onClick={() => setExplaining(!explaining)}
        >
          {p.askAny}
        </button>
        {explaining && <Explanation edited={edited} onClose={() => setExplaining(false)} />}
      </div>
    </Section>
  )
}

/** Shows these settings in the frame, and answers what its page asks for. Returns why there are no times, if so. */
function usePreviewedPage(frame: RefObject<HTMLIFrameElement | null>, edited: Edited): string | undefined {
  const { draft, owner } = edited
  const { zone } = useTimes()
  const members = useAll<MemberView>(`/teams/${owner.id}/members`, owner.team).data
  const [port, setPort] = useState<MessagePort>()
  const [problem, setProblem] = useState<string>()
  const revision = useRef(0)

  const answer = useEffectEvent(async (from: MessagePort, { id, query }: FromPreview) => {
    try {
      tell(from, { kind: 'answer', id, status: 200, body: await listDraftSlots(edited, query) })
      setProblem(undefined)
    } catch (error) {
      const status = error instanceof ApiFailure ? error.status : 0
      tell(from, { kind: 'answer', id, status: status === 0 ? 503 : status, body: { error: '' } })
      setProblem(errorText(error))
    }
  })

  useEffect(() => {
    // A frame that is loaded again opens a new channel.
    const open = ({ origin, source, data, ports: [given] }: MessageEvent) => {
      const isOurs = origin === location.origin && source === frame.current?.contentWindow
      if (!isOurs || data !== 'punctual:preview' || given === undefined) return
      given.onmessage = ({ data: asked }: MessageEvent<FromPreview>) => void answer(given, asked)
      setPort(given)
    }
    addEventListener('message', open)
    return () => removeEventListener('message', open)
  }, [frame])

  useEffect(() => {
    if (port === undefined) return
    revision.current++
    const hosts = owner.team ? draft.hosts : []
    const names = hosts.flatMap(({ userId }) => members?.find((one) => one.userId === userId)?.name ?? [])
    const page = previewedPage(draft, { names, timeZone: zone, revision: revision.current })
    tell(port, { kind: 'show', page })
  }, [port, draft, members, owner.team, zone])

  return problem
}

const tell = (port: MessagePort, message: FromDashboard) => port.postMessage(message)
