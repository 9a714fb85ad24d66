/** A CAPTCHA service that verifies tokens over HTTP: Turnstile, hCaptcha and reCAPTCHA have the same protocol. */
export interface CaptchaService {
  readonly siteKey: string
  readonly secret: string
  readonly verifyUrl: string
}

const TIMEOUT = 5000

/** Whether the service accepts the token; throws if it cannot be reached or gives no valid answer. */
export async function verifyCaptcha(
  service: CaptchaService,
  token: string,
  clientAddress: string,
): Promise<boolean> {
  const response = await fetch(service.verifyUrl, {
    method: 'POST',
    body: new URLSearchParams({ secret: service.secret, response: token, remoteip: clientAddress }),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT),
  })
  if (!response.ok) throw new Error(`The CAPTCHA service answered ${response.status}.`)
  const answer = (await response.json()) as { success?: unknown }
  return answer.success === true
}
