import { useState } from 'react'
import { addDays, dateIn } from '../../../parts/time/dates.ts'
import { Select, TextInput } from '../../core/fields/fields.tsx'
import { useTimes } from '../../core/time/times.ts'
import { tell, words } from '../../words.ts'

const LAST_DAYS = [30, 90, 365]
const NEXT_DAYS = 30

interface Dates {
  readonly from: string
  readonly to: string
}

/** The period to count: some days before or after today, or two dates. */
export function usePeriod() {
  const today = dateIn(useTimes().zone, Date.now())
  const [chosen, choose] = useState('30')
  const [custom, setCustom] = useState<Dates>({ from: addDays(today, -29), to: today })
  return { chosen, choose, custom, setCustom, dates: datesOf(chosen, today, custom) }
}

function datesOf(chosen: string, today: string, custom: Dates): Dates {
  if (chosen === 'custom') return custom
  if (chosen === 'next') return { from: today, to: addDays(today, NEXT_DAYS - 1) }
  return { from: addDays(today, 1 - Number(chosen)), to: today }
}

/** The fields of a period. */
export function PeriodFields({ period }: { readonly period: ReturnType<typeof usePeriod> }) {
  const { chosen, choose, custom, setCustom } = period
  const i = words.insights
  return (
    <>
      <Select
        label={i.period}
        value={chosen}
        options={[
          ...LAST_DAYS.map((days) => ({ id: String(days), label: tell(i.last, { count: days }) })),
          { id: 'next', label: tell(i.next, { count: NEXT_DAYS }) },
          { id: 'custom', label: i.custom },
        ]}
        onChange={choose}
      />
      {chosen === 'custom' && (
        <>
          <TextInput
            label={i.from}
            type="date"
            value={custom.from}
            onChange={(from) => setCustom({ ...custom, from })}
          />
          <TextInput
            label={i.to}
            type="date"
            value={custom.to}
            onChange={(to) => setCustom({ ...custom, to })}
          />
        </>
      )}
    </>
  )
}
