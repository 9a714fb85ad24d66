import type { CaptchaProvider } from '../../domain/event-types/event-type.ts'
import type { Framers } from '../../domain/event-types/framing.ts'
import type { Starter } from './built-pages.ts'

export interface PolicyOptions {
  /** Of the one script that stands in the page itself. */
  readonly starter?: Starter
  /** Marks the styles that the server itself wrote. */
  readonly nonce: string
  /** Which sites may show this page in a frame; none, unless told. */
  readonly framers?: Framers | undefined
  /** Addresses of the host's own pictures. */
  readonly images?: readonly string[]
  readonly captcha?: CaptchaProvider | ''
}

/** Where the challenges of others come from; open on pages that use them, and there alone. */
const CAPTCHA_SOURCES: Readonly<Partial<Record<CaptchaProvider, string>>> = {
  turnstile: 'https://challenges.cloudflare.com',
  hcaptcha: 'https://hcaptcha.com https://*.hcaptcha.com',
  recaptcha: 'https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/',
}

/** The Content-Security-Policy of a page. No script runs that we did not build. */
export function policyOf({ starter, nonce, framers, images = [], captcha = '' }: PolicyOptions): string {
  const others = captcha === '' ? undefined : CAPTCHA_SOURCES[captcha]
  const and = (sources: string) => (others === undefined ? sources : `${sources} ${others}`)
  const pictures = new Set(images.map(originOf).filter((origin) => origin !== undefined))
  return [
    "default-src 'none'",
    `script-src ${and(starter === undefined ? "'self'" : `'self' '${starter.hash}'`)}`,
    `style-src ${and(`'nonce-${nonce}'`)}`,
    `img-src ${["'self'", 'data:', ...pictures].join(' ')}`,
    `connect-src ${and("'self'")}`,
    "worker-src 'self'",
    `frame-src ${others ?? "'none'"}`,
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${ancestors(framers)}`,
  ].join('; ')
}

/** Our own pages may always: they show how it looks elsewhere. */
function ancestors(framers: Framers | undefined): string {
  if (framers === undefined) return "'none'"
  return framers === 'everyone' ? '*' : ["'self'", ...framers].join(' ')
}

function originOf(address: string): string | undefined {
  const url = URL.parse(address)
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : undefined
}
