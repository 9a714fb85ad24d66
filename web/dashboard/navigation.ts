import { CalendarIcon, ClockIcon, PersonIcon, SeatsIcon } from '../parts/icons.tsx'
import {
  AuditIcon,
  BlockIcon,
  ChartIcon,
  FormIcon,
  HookIcon,
  KeyIcon,
  LinkedIcon,
  ListIcon,
  MoveInIcon,
  PrivacyIcon,
  ServerIcon,
} from './core/icons.tsx'
import { words } from './words.ts'

/** The pages that the navigation and the palette lead to, in groups. */
export function pagesFor(isAdmin: boolean) {
  return groups().map(({ title, items }) => ({
    title,
    items: items.filter(({ to }) => isAdmin || !FOR_ADMINS.has(to)),
  }))
}

const groups = () => [
  {
    title: words.nav.scheduling,
    items: [
      { to: '/app/bookings', label: words.nav.bookings, icon: CalendarIcon },
      { to: '/app/event-types', label: words.nav.eventTypes, icon: ListIcon },
      { to: '/app/availability', label: words.nav.availability, icon: ClockIcon },
      { to: '/app/forms', label: words.nav.forms, icon: FormIcon },
      { to: '/app/insights', label: words.nav.insights, icon: ChartIcon },
    ],
  },
  {
    title: words.nav.setup,
    items: [
      { to: '/app/teams', label: words.nav.teams, icon: SeatsIcon },
      { to: '/app/calendars', label: words.nav.calendars, icon: LinkedIcon },
      { to: '/app/webhooks', label: words.nav.webhooks, icon: HookIcon },
      { to: '/app/blocklist', label: words.nav.blocklist, icon: BlockIcon },
      { to: '/app/privacy', label: words.nav.privacy, icon: PrivacyIcon },
    ],
  },
  {
    title: words.nav.account,
    items: [
      { to: '/app/profile', label: words.nav.profile, icon: PersonIcon },
      { to: '/app/tokens', label: words.nav.tokens, icon: KeyIcon },
      { to: '/app/audit', label: words.nav.audit, icon: AuditIcon },
      { to: '/app/people', label: words.nav.people, icon: SeatsIcon },
      { to: '/app/move-in', label: words.nav.moveIn, icon: MoveInIcon },
      { to: '/app/system', label: words.nav.system, icon: ServerIcon },
    ],
  },
]

/** What admins of the instance do. */
const FOR_ADMINS: ReadonlySet<string> = new Set(['/app/people', '/app/move-in', '/app/system'])
