import type { CaptchaProvider, EventType } from './event-type.ts'
import { missingLinksOf } from './location.ts'

/** Settings that leave a guest without what they need. */
export type Lack = 'video-without-link' | 'captcha-without-keys'

/** What an event type lacks; `hasKeys` says whether the operator has set up a CAPTCHA. */
export function lacksOf(
  { location, locations, abuse }: Pick<EventType, 'location' | 'locations' | 'abuse'>,
  hasKeys: (captcha: CaptchaProvider) => boolean,
): Lack[] {
  return [
    ...(missingLinksOf({ location, locations }).length > 0 ? ['video-without-link' as const] : []),
    ...(lacksKeys(abuse, hasKeys) ? ['captcha-without-keys' as const] : []),
  ]
}

/** Whether guests would be asked for a CAPTCHA that can't be shown. */
export const lacksKeys = (
  { captcha }: Pick<EventType['abuse'], 'captcha'>,
  hasKeys: (captcha: CaptchaProvider) => boolean,
): boolean => captcha !== '' && !hasKeys(captcha)
