import { type ReactNode, useState } from 'react'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { words } from '../words.ts'
import { Action, TextArea, Trouble } from './controls.tsx'

interface SheetProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  readonly wide?: boolean
  readonly alert?: boolean
}

/** A dialog over the page. */
export function Sheet({ title, onClose, children, wide = false, alert = false }: SheetProps) {
  return (
    <ModalOverlay
      className="overlay"
      isOpen
      isDismissable={!alert}
      onOpenChange={(open) => open || onClose()}
    >
      <Modal className={wide ? 'dialog dialog-wide' : 'dialog'}>
        <Dialog className="grid gap-4 outline-none" role={alert ? 'alertdialog' : 'dialog'}>
          <Heading slot="title" className="m-0 text-xl font-bold tracking-tight">
            {title}
          </Heading>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

interface ConfirmProps {
  readonly title: string
  readonly children?: ReactNode
  readonly confirm: string
  readonly busy?: boolean
  readonly error?: unknown
  readonly danger?: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before something that cannot be taken back. */
export function Confirm(props: ConfirmProps) {
  const { title, children, confirm, busy = false, error, danger = true, onConfirm, onClose } = props
  return (
    <Sheet title={title} onClose={onClose} alert>
      {children && <div className="text-muted">{children}</div>}
      <Trouble error={error} />
      <div className="flex flex-wrap justify-end gap-3">
        <Action onPress={onClose}>{words.cancel}</Action>
        <Action kind={danger ? 'danger' : 'main'} busy={busy} onPress={onConfirm}>
          {confirm}
        </Action>
      </div>
    </Sheet>
  )
}

interface ReasonProps extends Omit<ConfirmProps, 'onConfirm' | 'children'> {
  readonly hint: string
  readonly onConfirm: (reason: string) => void
}

/** The same, with a word to the guest. */
export function ConfirmWithReason({ hint, onConfirm, ...props }: ReasonProps) {
  const [reason, setReason] = useState('')
  return (
    <Confirm {...props} onConfirm={() => onConfirm(reason)}>
      <p className="m-0 mb-4">{hint}</p>
      <TextArea
        label={words.reasonLabel}
        hint={words.reasonHint}
        maxLength={1000}
        value={reason}
        onChange={setReason}
      />
    </Confirm>
  )
}
