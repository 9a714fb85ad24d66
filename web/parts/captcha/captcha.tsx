import { useCallback, useEffect, useRef, useState } from 'react'
import type { CaptchaData } from '../../../src/http/pages/page-data.ts'
import { under } from '../api.ts'
import { CheckIcon, ShieldIcon, WarningIcon } from '../icons.tsx'
import { useSpeech } from '../texts.tsx'
import { solveAltcha } from './altcha.ts'
import { type Action, showWidget, type Widget } from './widget.ts'

type Progress = 'working' | 'done' | 'failed' | 'insecure'

/** There is no token. The message tells the guest why. */
export class Unsolved extends Error {}

export interface CaptchaState {
  readonly provider: CaptchaData['provider']
  readonly progress: Progress
  /** The element that shows another service's widget. */
  readonly box: (element: HTMLElement | null) => void
  /** Resolves to a token; throws `Unsolved` if there is none. */
  readonly token: () => Promise<string>
  /** Gets a new token: each works once. */
  readonly reset: () => void
}

/** Starts immediately, so that it is done before the guest has filled in the form. `address` has the challenge. */
export function useCaptcha(
  { provider, siteKey }: CaptchaData,
  address: string,
  action: Action,
): CaptchaState {
  const { tell, locale } = useSpeech()
  const [progress, setProgress] = useState<Progress>('working')
  const [round, setRound] = useState(0)
  const solution = useRef<Promise<string> | undefined>(undefined)
  const widget = useRef<Promise<Widget> | undefined>(undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: each round solves anew
  useEffect(() => {
    if (provider !== 'altcha') return
    if (crypto.subtle === undefined) return setProgress('insecure')
    const stop = new AbortController()
    setProgress('working')
    const solving = solveAltcha(under(address, 'challenge'), stop.signal)
    solution.current = solving
    solving.then(
      () => stop.signal.aborted || setProgress('done'),
      () => stop.signal.aborted || setProgress('failed'),
    )
    return () => stop.abort()
  }, [provider, address, round])

  const box = useCallback(
    (element: HTMLElement | null) => {
      if (element === null || provider === '' || provider === 'altcha') return
      widget.current = showWidget(
        provider,
        { siteKey, action, language: locale.language },
        element,
        setProgress,
      )
      widget.current.catch(() => setProgress('failed'))
    },
    [provider, siteKey, action, locale.language],
  )

  return {
    provider,
    progress,
    box,
    token: async () => {
      if (provider === 'altcha') {
        const solved = await solution.current?.catch(() => undefined)
        if (solved === undefined)
          throw new Unsolved(tell(progress === 'insecure' ? 'captchaInsecure' : 'captchaFailed'))
        return solved
      }
      const token = (await widget.current?.catch(() => undefined))?.token()
      if (token === undefined || token === '') throw new Unsolved(tell('captchaSolve'))
      return token
    },
    reset: () => {
      void widget.current?.then((shown) => shown.reset()).catch(() => {})
      setRound((number) => number + 1)
    },
  }
}

const WORDS = {
  working: { text: 'captchaWorking', icon: ShieldIcon },
  done: { text: 'captchaDone', icon: CheckIcon },
  failed: { text: 'captchaFailed', icon: WarningIcon },
  insecure: { text: 'captchaInsecure', icon: WarningIcon },
} as const

/** Shows the state of the check. ALTCHA works by itself; the others show a widget. */
export function Captcha({ state }: { readonly state: CaptchaState }) {
  const { tell } = useSpeech()
  const { text, icon: Icon } = WORDS[state.progress]
  const own = state.provider === 'altcha'
  return (
    <div>
      {!own && <div ref={state.box} className="captcha-widget" />}
      <p role="status" className="captcha-status">
        {(own || state.progress === 'failed') && (
          <>
            <Icon size={16} />
            {tell(text)}
            {own && state.progress === 'failed' && (
              <button type="button" className="text-button" onClick={state.reset}>
                {tell('tryAgain')}
              </button>
            )}
          </>
        )}
      </p>
    </div>
  )
}
