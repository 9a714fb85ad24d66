import { useQuery } from '@tanstack/react-query'
import type { CaptchaProvider } from '../../../src/domain/event-types/event-type.ts'
import { missingLinksOf } from '../../../src/domain/event-types/location.ts'
import { addDays, dateIn } from '../../parts/time/dates.ts'
import { useWorkingCaptchas } from '../core/fields/protection.tsx'
import { useTimes } from '../core/time/times.ts'
import { tell, words } from '../words.ts'
import { type Edited, listDraftSlots } from './preview/draft-slots.ts'

/** Something without which an event type does not do what its host expects. */
export interface Gap {
  /** The wire path of the control that fills it. */
  readonly field: string
  readonly tab: string
  readonly sentence: string
}

interface Facts {
  readonly captchas: readonly CaptchaProvider[]
  /** Whether anything can be booked in the next days; undefined: not known yet. */
  readonly hasTimes: boolean | undefined
}

const LOOKED_AHEAD = 30

/** What is still missing in these settings, saved or not. */
export function useGaps(edited: Edited): readonly Gap[] {
  const captchas = useWorkingCaptchas()
  const { zone } = useTimes()
  const today = dateIn(zone, Date.now())
  const query = { dateFrom: today, dateTo: addDays(today, LOOKED_AHEAD), timezone: zone }
  const { data: hasTimes } = useQuery({
    queryKey: ['slots', 'any', edited.saved.id, JSON.stringify(edited.draft), query],
    retry: false,
    queryFn: async () => (await listDraftSlots(edited, query)).length > 0,
  })
  return gapsIn(edited, { captchas, hasTimes })
}

function gapsIn({ draft, owner }: Edited, { captchas, hasTimes }: Facts): readonly Gap[] {
  const g = words.gaps
  const { location, locations, hosts } = draft
  const { captcha } = draft.abuse
  const noHosts = owner.team && hosts.length === 0
  return [
    ...missingLinksOf({ location, locations }).map((field) => ({
      field,
      tab: 'basics',
      sentence: g.videoLink,
    })),
    ...(noHosts ? [{ field: 'hosts', tab: 'hosts', sentence: words.hosts.none }] : []),
    ...(captcha !== '' && !captchas.includes(captcha)
      ? [{ field: 'abuse.captcha', tab: 'protection', sentence: g.captchaKeys }]
      : []),
    // Without hosts, there are no times either.
    ...(hasTimes === false && !noHosts
      ? [{ field: 'window', tab: 'times', sentence: tell(g.noTimes, { count: LOOKED_AHEAD }) }]
      : []),
  ]
}
