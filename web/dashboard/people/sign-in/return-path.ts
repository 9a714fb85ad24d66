import { dashboardPath } from '../../../../src/domain/people/single-sign-on.ts'
import { read, write } from '../../../parts/time/clock.ts'

const KEY = 'punctual:return-to'

/** What this tab asked for. Two tabs can sign in together; neither may take the other's. */
let wanted = ''

/** Remembers the page that was asked for while the user signs in: the emailed link opens in another tab. */
export function keepReturnPath(path: string): void {
  wanted = path === '/app' ? '' : path
  write(KEY, wanted)
}

/** Where to go after signing in, and still to be asked for. */
export function peekReturnPath(): string {
  // Other scripts of this origin can write there: only pages of the dashboard count.
  return dashboardPath(wanted === '' ? (read(KEY) ?? '') : wanted)
}

/** Where to go after signing in. */
export function takeReturnPath(): string {
  const path = peekReturnPath()
  if (wanted === '') write(KEY, '')
  wanted = ''
  return path
}
