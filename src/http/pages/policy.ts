import type { CaptchaProvider } from '../../domain/event-types/event-type.ts'
import type { Framers } from '../../domain/event-types/framing.ts'
import type { Starter } from './built-pages.ts'

export interface PolicyOptions {
  /** The only inline script of the page. */
  readonly starter?: Starter
  /** Marks the server's own styles. */
  readonly nonce: string
  /** Which sites may show this page in a frame. Default: none. */
  readonly framers?: Framers | undefined
  /** URLs of the host's pictures. */
  readonly images?: readonly string[]
  readonly captcha?: CaptchaProvider | ''
  /** Whether it shows another of our pages in a frame. */
  readonly frames?: boolean
  /** Where the manifest of an installable page is. */
  readonly manifest?: string
}

/** Origins of the CAPTCHA services, allowed only on pages that use them. */
const CAPTCHA_SOURCES: Readonly<Partial<Record<CaptchaProvider, string>>> = {
  turnstile: 'https://challenges.cloudflare.com',
  hcaptcha: 'https://hcaptcha.com https://*.hcaptcha.com',
  recaptcha: 'https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/',
}

/** The Content-Security-Policy of a page. Only our own scripts run. */
export function policyOf(options: PolicyOptions): string {
  const { starter, nonce, framers, images = [], captcha = '', frames = false } = options
  const others = captcha === '' ? undefined : CAPTCHA_SOURCES[captcha]
  const and = (sources: string) => (others === undefined ? sources : `${sources} ${others}`)
  const pictures = new Set(images.map(originOf).filter((origin) => origin !== undefined))
  return [
    "default-src 'none'",
    `script-src ${and(starter === undefined ? "'self'" : `'self' '${starter.hash}'`)}`,
    `style-src ${and(`'nonce-${nonce}'`)}`,
    `img-src ${["'self'", 'data:', ...pictures].join(' ')}`,
    "font-src 'self'",
    `connect-src ${and("'self'")}`,
    "worker-src 'self'",
    ...(options.manifest === undefined ? [] : ["manifest-src 'self'"]),
    `frame-src ${frames ? "'self'" : (others ?? "'none'")}`,
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${ancestors(framers)}`,
  ].join('; ')
}

/** Our own pages may always frame it, for the examples in the docs. */
function ancestors(framers: Framers | undefined): string {
  if (framers === undefined) return "'none'"
  return framers === 'everyone' ? '*' : ["'self'", ...framers].join(' ')
}

function originOf(address: string): string | undefined {
  const url = URL.parse(address)
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : undefined
}
