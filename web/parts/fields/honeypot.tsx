import type { Ref } from 'react'
import { useSpeech } from '../texts.tsx'

/** Only for bots: hidden from people, screen readers, keyboards and autofill. */
export function Honeypot({ inputRef }: { readonly inputRef: Ref<HTMLInputElement> }) {
  const { tell } = useSpeech()
  return (
    <div aria-hidden="true" className="honeypot">
      <label>
        {tell('leaveEmpty')}
        <input ref={inputRef} type="text" name="fax-extension" tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  )
}
