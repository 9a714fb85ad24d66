import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, withQuery } from '../../core/data/api.ts'
import { combine, useAll, useEventTypes, useOwners } from '../../core/data/data.ts'
import type { FormView, InsightsView } from '../../core/data/views.ts'
import { Select } from '../../core/fields/fields.tsx'
import { Loaded, Page, RowsSkeleton } from '../../core/page.tsx'
import { words } from '../../words.ts'
import { Figures } from './figures.tsx'
import { PeriodFields, usePeriod } from './period.tsx'

export default function InsightsPage() {
  const period = usePeriod()
  const owners = useOwners()
  const [ownerId, setOwnerId] = useState('')
  const { from, to } = period.dates
  const i = words.insights
  const insights = useQuery({
    queryKey: ['insights', '/bookings', from, to, ownerId],
    enabled: from !== '' && to !== '',
    queryFn: async ({ signal }) => {
      const path = withQuery('/insights', { from, to, ownerId: ownerId === '' ? undefined : ownerId })
      return (await call<InsightsView>(path, { signal })).body
    },
  })
  const named = combine(useEventTypes(), useAll<FormView>('/routing-forms'))
  return (
    <Page title={i.title} lead={i.lead} wide>
      <div className="filters">
        <PeriodFields period={period} />
        {owners.length > 1 && (
          <Select
            label={words.owner}
            value={ownerId}
            options={[{ id: '', label: i.everyone }, ...owners.map(({ id, name }) => ({ id, label: name }))]}
            onChange={setOwnerId}
          />
        )}
      </div>
      <Loaded query={combine(insights, named)} skeleton={<RowsSkeleton rows={5} />}>
        {([found, [eventTypes, forms]]) => (
          <Figures insights={found} period={{ from, to, ownerId }} eventTypes={eventTypes} forms={forms} />
        )}
      </Loaded>
    </Page>
  )
}
