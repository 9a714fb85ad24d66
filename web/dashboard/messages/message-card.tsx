import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { Recipient } from '../../../src/domain/messages/moments.ts'
import { Button } from '../core/buttons.tsx'
import type { MessageView } from '../core/data/views.ts'
import { messageWords, tell, words } from '../words.ts'
import type { Desk } from './message-desk.tsx'
import { whenName } from './moment-fields.tsx'

interface Props {
  readonly desk: Desk
  /** Undefined: a mail of the service. */
  readonly message: MessageView | undefined
  readonly to: Recipient
  /** As it will read; a message that is not sent says when it would be. */
  readonly subject?: string
  readonly text?: string
  readonly mark?: 'onlyThen' | 'notThen' | undefined
  /** What it is among the others. */
  readonly place?: string
  readonly onReplace?: () => void
}

/** A message, or a mail of the service, with what can be done about it. */
export function MessageCard({ desk, message, to, subject, text, mark, place, onReplace }: Props) {
  const m = messageWords
  const name = message?.name ?? subject ?? ''
  const article = useRef<HTMLElement>(null)
  const wasOpen = message !== undefined && desk.closed === message.id
  useEffect(() => {
    if (wasOpen) article.current?.focus()
  }, [wasOpen])
  if (message !== undefined && desk.editing === message.id) return desk.editor(message.id)
  if (place !== undefined && desk.place === place) return desk.editor()
  const kind = message === undefined ? m.standard : message.replaces ? m.replacing : m.own
  return (
    <article
      ref={article}
      tabIndex={-1}
      className="message"
      aria-label={name}
      data-own={message !== undefined || undefined}
      data-mark={mark}
    >
      <p className="message-head">
        <span className="status" data-status={message === undefined ? undefined : 'Confirmed'}>
          {kind}
        </span>
        <span className="muted small">{tell(m.toWhom, { recipient: m.recipients[to] })}</span>
        {message?.by === 'sms' && <span className="status">{m.channels.sms}</span>}
        {mark && (
          <span className="status" data-status="Warning">
            {m[mark]}
          </span>
        )}
        {message?.enabled === false && <span className="status">{m.off}</span>}
      </p>
      <p className="row-title">{subject || name}</p>
      {text === undefined
        ? message && <p className="muted small">{whenName(message)}</p>
        : mark !== 'notThen' && <Words text={text} />}
      {desk.mayChange && (
        <div className="actions actions-tight">
          {message === undefined
            ? onReplace && (
                <Button small label={tell(m.replaceOf, { name })} onPress={onReplace}>
                  {m.replace}
                </Button>
              )
            : ownActions(desk, message)}
        </div>
      )}
    </article>
  )
}

function ownActions(desk: Desk, message: MessageView): ReactNode {
  const m = messageWords
  const { name, enabled } = message
  const actions = [
    { text: m.edit, label: m.editOf, act: () => desk.edit(message.id) },
    { text: m.test, label: m.testOf, act: () => desk.test(message) },
    {
      text: enabled ? m.turnOff : m.turnOn,
      label: enabled ? m.turnOffOf : m.turnOnOf,
      act: () => desk.turn(message),
    },
    { text: words.delete, label: m.deleteOf, act: () => desk.remove(message) },
  ]
  return actions.map(({ text, label, act }) => (
    <Button key={label} small label={tell(label, { name })} onPress={act}>
      {text}
    </Button>
  ))
}

/** The words of a mail: the first lines, or all. */
function Words({ text }: { readonly text: string }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const m = messageWords
  return (
    <>
      <p id={id} className="message-words" data-open={open || undefined}>
        {text}
      </p>
      <div>
        <button
          type="button"
          className="text-button small"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {open ? m.showLess : m.showAll}
        </button>
      </div>
    </>
  )
}
