import { Page } from '../core/page.tsx'
import { words } from '../words.ts'
import { EraseGuest } from './erase-guest.tsx'

/** What hosts do for guests who ask about their data. */
export default function PrivacyPage() {
  const { title, lead } = words.privacy
  return (
    <Page title={title} lead={lead}>
      <EraseGuest />
    </Page>
  )
}
