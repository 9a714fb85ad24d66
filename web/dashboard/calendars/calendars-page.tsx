import { useState } from 'react'
import { AddButton } from '../core/buttons.tsx'
import { combine, useAll } from '../core/data/data.ts'
import { useKinds } from '../core/data/kinds.ts'
import type { CalendarView } from '../core/data/views.ts'
import { EmptyState, Loaded, Page } from '../core/page.tsx'
import { useRoute } from '../core/router.tsx'
import { PaymentAccounts } from '../payments/payment-accounts.tsx'
import { words } from '../words.ts'
import { AccountsSection, ConnectOutcome } from './accounts-section.tsx'
import { CalendarRow } from './calendar-row.tsx'
import { ConnectCalendar } from './connect-calendar.tsx'
import { FeedSection } from './feed-section.tsx'

export default function CalendarsPage() {
  const calendars = useAll<CalendarView>('/calendars')
  const kinds = useKinds()
  // The first run leads here, straight to the dialog.
  const [adding, setAdding] = useState(useRoute().query.has('connect'))
  const c = words.calendars
  return (
    <Page
      title={c.title}
      lead={c.lead}
      actions={
        <AddButton kind="primary" onPress={() => setAdding(true)}>
          {c.add}
        </AddButton>
      }
    >
      <ConnectOutcome />
      <Loaded query={combine(calendars, kinds)}>
        {([all, { body }]) =>
          all.length === 0 ? (
            <EmptyState title={c.none}>{c.noneHint}</EmptyState>
          ) : (
            <ul className="panel">
              {all.map((calendar) => (
                <CalendarRow key={calendar.id} calendar={calendar} kinds={body.kinds} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <AccountsSection />
      <PaymentAccounts />
      <FeedSection />
      {adding && <ConnectCalendar onClose={() => setAdding(false)} />}
    </Page>
  )
}
