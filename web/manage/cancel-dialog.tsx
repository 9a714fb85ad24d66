import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { Field } from '../parts/field.tsx'
import { useSpeech } from '../parts/texts.tsx'

interface Props {
  readonly hostName: string
  readonly cancel: (reason: string) => Promise<unknown>
  readonly failureText: (error: Error) => string
  readonly onClose: () => void
  readonly onCancelled: () => void
}

/** Asks once more: what is cancelled is gone. */
export default function CancelDialog({ hostName, cancel, failureText, onClose, onCancelled }: Props) {
  const { tell } = useSpeech()
  const [reason, setReason] = useState('')
  const cancelling = useMutation({ mutationFn: () => cancel(reason.trim()), onSuccess: onCancelled })
  return (
    <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={(open) => open || onClose()}>
      <Modal className="card max-w-md">
        <Dialog role="alertdialog" className="grid gap-4 p-6 outline-none sm:p-8">
          <Heading slot="title" className="m-0 text-xl font-bold tracking-tight">
            {tell('cancelTitle')}
          </Heading>
          <p className="m-0 text-muted">{tell('cancelHint', { name: hostName })}</p>
          <Field
            name="reason"
            label={tell('cancelReason', { name: hostName })}
            type="textarea"
            required={false}
            maxLength={1000}
            value={reason}
            onChange={(value) => setReason(String(value))}
          />
          <div role="alert">
            {cancelling.error && <p className="alert">{failureText(cancelling.error)}</p>}
          </div>
          <div className="flex flex-wrap justify-end gap-3">
            <button type="button" className="button button-quiet" onClick={onClose}>
              {tell('keepBooking')}
            </button>
            <button
              type="button"
              className="button button-danger"
              aria-disabled={cancelling.isPending}
              onClick={() => cancelling.isPending || cancelling.mutate()}
            >
              {cancelling.isPending && <span className="spinner" aria-hidden="true" />}
              {tell('cancelBooking')}
            </button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
