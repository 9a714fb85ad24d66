import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import type { ScopeOfChange } from '../../src/domain/bookings/series.ts'
import { formatPrice } from '../../src/domain/payments/price.ts'
import { Field } from '../parts/fields/field.tsx'
import type { OwnBooking } from '../parts/meeting/own-booking.ts'
import { useSpeech } from '../parts/texts.tsx'
import { useFailureText } from './failure-text.ts'
import { ScopeChoice } from './scope-choice.tsx'

interface Props {
  readonly hostName: string
  /** Whether meetings of its series follow. */
  readonly isFollowed: boolean
  readonly booking: Pick<OwnBooking, 'payment' | 'refundIfCancelled'>
  readonly cancel: (reason: string, scope: ScopeOfChange) => Promise<unknown>
  readonly onClose: () => void
  readonly onCancelled: () => void
}

/** Asks before cancelling, which can't be undone. */
export default function CancelDialog({ hostName, isFollowed, booking, cancel, onClose, onCancelled }: Props) {
  const { tell } = useSpeech()
  const failureText = useFailureText()
  const [reason, setReason] = useState('')
  const [scope, setScope] = useState<ScopeOfChange>('one')
  const cancelling = useMutation({ mutationFn: () => cancel(reason.trim(), scope), onSuccess: onCancelled })
  return (
    <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={(open) => open || onClose()}>
      <Modal className="dialog">
        <Dialog role="alertdialog" className="dialog-body">
          <Heading slot="title">{tell('cancelTitle')}</Heading>
          <p className="muted">{tell('cancelHint', { name: hostName })}</p>
          <MoneyBack booking={booking} />
          {isFollowed && <ScopeChoice scope={scope} onChange={setScope} />}
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
          <div className="actions actions-end">
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

/** What happens to the money of this meeting; those that follow it have their own share. */
function MoneyBack({ booking: { payment, refundIfCancelled = 0 } }: Pick<Props, 'booking'>) {
  const { tell, locale } = useSpeech()
  if (payment == null || (payment.status !== 'paid' && payment.status !== 'authorised')) return null
  if (payment.status === 'authorised') return <p>{tell('cancelRelease')}</p>
  if (refundIfCancelled === 0) return <p>{tell('cancelNoRefund')}</p>
  const price = formatPrice({ amount: refundIfCancelled, currency: payment.currency }, locale.tag)
  return <p>{tell('cancelRefund', { price })}</p>
}
