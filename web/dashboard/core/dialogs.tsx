import { type FormEvent, type ReactNode, useState } from 'react'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { words } from '../words.ts'
import { Button, SubmitButton } from './buttons.tsx'
import { useHeldSession } from './data/session.ts'
import { TextArea } from './fields/fields.tsx'
import { FormError, FormErrors } from './fields/form-errors.tsx'

interface SheetProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  readonly wide?: boolean
  readonly alert?: boolean
  /** At the edge of the page, as high as it is. */
  readonly side?: boolean
}

/** A dialog over the page. Escape and a click beside it ask before they lose what was typed. */
export function Sheet({ title, onClose, children, wide = false, alert = false, side = false }: SheetProps) {
  const [touched, setTouched] = useState(false)
  const [asking, setAsking] = useState(false)
  useHeldSession(touched)
  const close = () => (touched ? setAsking(true) : onClose())
  return (
    <ModalOverlay
      className={side ? 'overlay overlay-side' : 'overlay'}
      isOpen
      isDismissable={!alert}
      onOpenChange={(open) => open || close()}
    >
      <Modal className={`dialog${wide ? ' dialog-wide' : ''}${side ? ' dialog-side' : ''}`}>
        <Dialog className="dialog-body" role={alert ? 'alertdialog' : 'dialog'}>
          <Heading slot="title">{title}</Heading>
          <div className="contents" onInput={() => setTouched(true)}>
            {children}
          </div>
          {asking && (
            <Confirm
              title={words.discardTitle}
              confirm={words.discard}
              cancel={words.keepEditing}
              onClose={() => setAsking(false)}
              onConfirm={onClose}
            >
              {words.discardHint}
            </Confirm>
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

interface CreateProps extends Omit<SheetProps, 'alert'> {
  /** What the button says; "Create" without it. */
  readonly submit?: string
  readonly busy: boolean
  readonly error: unknown
  readonly onSubmit: () => void
}

/** Asks for what something new needs. */
export function CreateSheet({
  submit = words.create,
  busy,
  error,
  onSubmit,
  children,
  ...sheet
}: CreateProps) {
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!busy) onSubmit()
  }
  return (
    <Sheet {...sheet}>
      <FormErrors error={error}>
        <form className="stack" noValidate onSubmit={send}>
          {children}
          <FormError />
          <div className="actions actions-end">
            <Button onPress={sheet.onClose}>{words.cancel}</Button>
            <SubmitButton busy={busy}>{submit}</SubmitButton>
          </div>
        </form>
      </FormErrors>
    </Sheet>
  )
}

interface ConfirmProps {
  readonly title: string
  readonly children?: ReactNode
  readonly confirm: string
  /** What the button says that changes nothing. */
  readonly cancel?: string
  readonly busy?: boolean
  readonly error?: unknown
  readonly danger?: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before something that can't be undone. */
export function Confirm(props: ConfirmProps) {
  const { title, children, confirm, cancel = words.cancel, busy = false, error, danger = true } = props
  return (
    <Sheet title={title} onClose={props.onClose} alert>
      <FormErrors error={error}>
        {children && <div className="stack muted">{children}</div>}
        <FormError />
        <div className="actions actions-end">
          <Button onPress={props.onClose}>{cancel}</Button>
          <Button kind={danger ? 'danger' : 'primary'} busy={busy} onPress={props.onConfirm}>
            {confirm}
          </Button>
        </div>
      </FormErrors>
    </Sheet>
  )
}

interface ReasonProps extends Omit<ConfirmProps, 'onConfirm'> {
  readonly hint: string
  readonly onConfirm: (reason: string) => void
}

/** The same, with a message to the guest. */
export function ConfirmWithReason({ hint, onConfirm, children, ...props }: ReasonProps) {
  const [reason, setReason] = useState('')
  return (
    <Confirm {...props} onConfirm={() => onConfirm(reason)}>
      <p>{hint}</p>
      {children}
      <TextArea
        label={words.reasonLabel}
        hint={words.reasonHint}
        field="reason"
        maxLength={1000}
        value={reason}
        onChange={setReason}
      />
    </Confirm>
  )
}
