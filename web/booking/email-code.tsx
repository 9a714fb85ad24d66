import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { post, under } from '../parts/api.ts'
import type { CaptchaState } from '../parts/captcha/captcha.tsx'
import { Field } from '../parts/fields/field.tsx'
import { useSpeech } from '../parts/texts.tsx'

/** Where the proof of the guest's address stands. */
interface EmailProof {
  readonly email: string
  /** What the guest typed; undefined until a code was sent to this address. */
  readonly code: string | undefined
  /** Whether a code has to be requested before booking. */
  readonly missing: boolean
  /** Whether what was typed can't be a code. */
  readonly isWrong: boolean
  readonly onType: (code: string) => void
  readonly request: ReturnType<typeof useRequest>
}

/** Requests a code for the address that is typed. Another address needs another code. */
export function useEmailCode(
  address: string,
  email: string,
  enabled: boolean,
  captcha: CaptchaState,
): EmailProof {
  const [sent, setSent] = useState<{ readonly to: string; readonly typed: string }>()
  const request = useRequest(address, email, captcha, (to) => setSent({ to, typed: '' }))
  const typed = enabled && sent?.to === email ? sent.typed : undefined
  return {
    email,
    code: typed,
    missing: enabled && typed === undefined,
    isWrong: typed !== undefined && !/^\d{6}$/.test(typed.replaceAll(/\s/g, '')),
    onType: (code) => setSent({ to: email, typed: code }),
    request,
  }
}

function useRequest(address: string, email: string, captcha: CaptchaState, onSent: (to: string) => void) {
  return useMutation({
    mutationFn: async (locale: string) => {
      if (captcha.provider === '') {
        await post(under(address, 'verify-email'), { email, locale })
        return email
      }
      const captchaToken = await captcha.token()
      try {
        await post(under(address, 'verify-email'), { email, locale, captchaToken })
      } finally {
        // A token works once, and booking needs another.
        captcha.reset()
      }
      return email
    },
    onSuccess: onSent,
  })
}

interface Props {
  readonly proof: EmailProof
  readonly error: string | undefined
  /** Called when another code is typed or requested. */
  readonly onChange: () => void
}

/** Asks for the code. It takes the focus, because the guest has just requested it. */
export function EmailCodeField({ proof, error, onChange }: Props) {
  const { tell, locale } = useSpeech()
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a wrong code is typed again
  useEffect(() => box.current?.querySelector('input')?.focus(), [error])
  return (
    <div ref={box} className="fields">
      <p role="status">{tell('codeSent', { email: proof.email })}</p>
      <Field
        name="code"
        label={tell('code')}
        type="text"
        required
        autoComplete="one-time-code"
        maxLength={10}
        value={proof.code ?? ''}
        error={error}
        onChange={(value) => {
          onChange()
          proof.onType(String(value))
        }}
      />
      <div>
        <button
          type="button"
          className="text-button"
          disabled={proof.request.isPending}
          onClick={() => {
            onChange()
            proof.request.mutate(locale.language)
          }}
        >
          {tell('newCode')}
        </button>
      </div>
    </div>
  )
}
