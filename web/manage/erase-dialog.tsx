import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { isUnconfirmed, post } from '../parts/api.ts'
import { Field } from '../parts/fields/field.tsx'
import { useSpeech } from '../parts/texts.tsx'
import { useFailureText } from './failure-text.ts'

interface Props {
  readonly base: string
  readonly email: string
  readonly onClose: () => void
  readonly onErased: () => void
}

/** Erases what is stored about the guest, who proves their address with a code first. */
export default function EraseDialog({ base, email, onClose, onErased }: Props) {
  const { tell, locale } = useSpeech()
  const failureText = useFailureText()
  const [code, setCode] = useState<string>()
  const address = `${base}/api/public/erasures`
  const sending = useMutation({
    mutationFn: () => post(address, { email, locale: locale.tag }),
    onSuccess: () => setCode(''),
  })
  const erasing = useMutation({
    mutationFn: () => post(address, { email, code: code?.replaceAll(/\s/g, '') }),
    onSuccess: onErased,
  })
  const step = code === undefined ? sending : erasing
  const wrongCode = isUnconfirmed(erasing.error) ? erasing.error.message : undefined
  const error = wrongCode === undefined ? (erasing.error ?? sending.error) : null
  const field = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (wrongCode !== undefined) field.current?.querySelector('input')?.focus()
  }, [wrongCode])
  return (
    <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={(open) => open || onClose()}>
      <Modal className="dialog">
        <Dialog role="alertdialog" className="dialog-body">
          <Heading slot="title">{tell('eraseTitle')}</Heading>
          <p className="muted">{tell('eraseHint')}</p>
          {code !== undefined && (
            <div ref={field} className="fields">
              <p role="status">{tell('eraseCodeSent', { email })}</p>
              <Field
                name="code"
                label={tell('code')}
                type="text"
                required
                autoComplete="one-time-code"
                maxLength={20}
                value={code}
                error={wrongCode}
                onChange={(value) => {
                  erasing.reset()
                  setCode(String(value))
                }}
              />
            </div>
          )}
          <div role="alert">{error && <p className="alert">{failureText(error)}</p>}</div>
          <div className="actions actions-end">
            <button type="button" className="button button-quiet" onClick={onClose}>
              {tell('keepData')}
            </button>
            <button
              type="button"
              className={code === undefined ? 'button' : 'button button-danger'}
              aria-disabled={step.isPending}
              onClick={() => step.isPending || step.mutate()}
            >
              {step.isPending && <span className="spinner" aria-hidden="true" />}
              {tell(code === undefined ? 'getCode' : 'eraseData')}
            </button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
