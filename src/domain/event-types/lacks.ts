import type { CaptchaProvider, EventType } from './event-type.ts'
import type { Location } from './location.ts'

/** Settings that leave a guest without what they need. */
export type Lack = 'video-without-link' | 'captcha-without-keys'

/** What an event type lacks; `hasKeys` says whether the operator has set up a CAPTCHA. */
export function lacksOf(
  { location, locations, abuse }: Pick<EventType, 'location' | 'locations' | 'abuse'>,
  hasKeys: (captcha: CaptchaProvider) => boolean,
): Lack[] {
  const places = locations.length === 0 ? [location] : locations
  return [
    ...(places.some(isWithoutLink) ? ['video-without-link' as const] : []),
    ...(lacksKeys(abuse, hasKeys) ? ['captcha-without-keys' as const] : []),
  ]
}

const isWithoutLink = ({ type, value, provider = '' }: Location) =>
  type === 'Video' && value === '' && provider === ''

/** Whether guests would be asked for a CAPTCHA that can't be shown. */
export const lacksKeys = (
  { captcha }: Pick<EventType['abuse'], 'captcha'>,
  hasKeys: (captcha: CaptchaProvider) => boolean,
): boolean => captcha !== '' && !hasKeys(captcha)
