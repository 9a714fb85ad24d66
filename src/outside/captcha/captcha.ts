/** A CAPTCHA service that verifies tokens over HTTP: Turnstile, hCaptcha and reCAPTCHA have the same protocol. */
export interface CaptchaService {
  readonly siteKey: string
  readonly secret: string
  readonly verifyUrl: string
}

/** Where a token must come from, as far as the service tells. */
interface CaptchaOrigin {
  /** Hosts on whose pages the challenge may be solved. */
  readonly hosts: readonly string[]
  /** What it is solved for. */
  readonly action: string
}

const TIMEOUT = 5000

/** Whether the service accepts the token; throws if it cannot be reached or gives no valid answer. */
export async function verifyCaptcha(
  service: CaptchaService,
  token: string,
  clientAddress: string,
  { hosts, action }: CaptchaOrigin,
): Promise<boolean> {
  const response = await fetch(service.verifyUrl, {
    method: 'POST',
    body: new URLSearchParams({ secret: service.secret, response: token, remoteip: clientAddress }),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT),
  })
  if (!response.ok) throw new Error(`The CAPTCHA service answered ${response.status}.`)
  const answer = (await response.json()) as { success?: unknown; hostname?: unknown; action?: unknown }
  // A token that was solved on another site, or for something else there, may have been collected from its visitors.
  const isElsewhere = isSaid(answer.hostname) && !hosts.includes(String(answer.hostname).toLowerCase())
  const isForOther = isSaid(answer.action) && answer.action !== action
  return answer.success === true && !isElsewhere && !isForOther
}

const isSaid = (value: unknown) => value !== undefined && value !== null && value !== ''
