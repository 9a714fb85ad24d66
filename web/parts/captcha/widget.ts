import type { CaptchaData } from '../../../src/http/pages/page-data.ts'

type Provider = Exclude<CaptchaData['provider'], '' | 'altcha'>

/** What a challenge is solved for. */
export type Action = 'book' | 'route'

/** The API that all three services share. */
interface CaptchaApi {
  render(
    element: HTMLElement,
    options: {
      sitekey: string
      action?: string
      theme: string
      hl?: string
      language?: string
      callback: () => void
      'expired-callback': () => void
      'error-callback': () => void
    },
  ): string | number
  getResponse(id: string | number): string | undefined
  reset(id: string | number): void
}

export interface Widget {
  token(): string | undefined
  reset(): void
}

const SERVICES: Readonly<Record<Provider, { readonly script: string; readonly global: string }>> = {
  turnstile: {
    script: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit&onload=',
    global: 'turnstile',
  },
  hcaptcha: { script: 'https://js.hcaptcha.com/1/api.js?render=explicit&onload=', global: 'hcaptcha' },
  recaptcha: {
    script: 'https://www.google.com/recaptcha/api.js?render=explicit&onload=',
    global: 'grecaptcha',
  },
}

const LOADED = 'punctualCaptchaLoaded'

/** Shows the widget of a CAPTCHA service. */
export async function showWidget(
  provider: Provider,
  { siteKey, action, language }: { siteKey: string; action: Action; language: string },
  element: HTMLElement,
  onProgress: (progress: 'working' | 'done' | 'failed') => void,
): Promise<Widget> {
  const api = await load(provider)
  const dark = getComputedStyle(document.documentElement).colorScheme === 'dark'
  const id = api.render(element, {
    sitekey: siteKey,
    // The server refuses a token for another action.
    ...(provider === 'turnstile' && { action }),
    theme: dark || matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
    hl: language,
    language,
    callback: () => onProgress('done'),
    'expired-callback': () => onProgress('working'),
    'error-callback': () => onProgress('failed'),
  })
  return { token: () => api.getResponse(id), reset: () => api.reset(id) }
}

function load(provider: Provider): Promise<CaptchaApi> {
  const { script, global } = SERVICES[provider]
  const world = window as unknown as Record<string, unknown>
  const present = () => world[global] as CaptchaApi | undefined
  return new Promise((resolve, reject) => {
    const ready = () => {
      const api = present()
      if (api !== undefined) resolve(api)
    }
    if (present()?.render !== undefined) return ready()
    world[LOADED] = ready
    const element = document.createElement('script')
    element.src = script + LOADED
    element.async = true
    element.onerror = () => reject(new Error('The widget could not be loaded.'))
    document.head.append(element)
  })
}
