import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  Modal,
  ModalOverlay,
  TextField,
} from 'react-aria-components'
import { foldQuery, rankOf } from '../../src/domain/search-rank.ts'
import { CalendarIcon, PersonIcon, SeatsIcon } from '../parts/icons.tsx'
import { Live } from '../parts/live.tsx'
import { call, withQuery } from './core/data/api.ts'
import { useMe } from './core/data/data.ts'
import { errorText } from './core/data/errors.ts'
import { signOut } from './core/data/session.ts'
import type { FoundView } from './core/data/views.ts'
import { FormIcon, ListIcon, OutIcon, PlusIcon } from './core/icons.tsx'
import { navigate } from './core/router.tsx'
import { pagesFor } from './navigation.ts'
import { tell, words } from './words.ts'

/** Something that the palette leads to or does. */
interface Entry {
  readonly id: string
  readonly label: string
  readonly detail?: string
  readonly icon: ReactNode
  readonly act: () => void
}

const KIND_ICONS = {
  'event-type': ListIcon,
  form: FormIcon,
  team: SeatsIcon,
  person: PersonIcon,
  booking: CalendarIcon,
} as const

/** One search for pages, actions and everything that the user may see. */
export default function Palette({ onClose }: { readonly onClose: () => void }) {
  const p = words.palette
  const [typed, setTyped] = useState('')
  const wanted = foldQuery(useDeferredValue(typed))
  const isAdmin = useMe().data?.body.admin === true
  const found = useFound(wanted)
  const pages = fitting(wanted, pageEntries(isAdmin))
  const actions = fitting(wanted, actionEntries(isAdmin))
  const results = (found.data ?? []).map(resultEntry)
  const groups = [
    { title: p.results, entries: wanted === '' ? [] : results },
    { title: p.pages, entries: pages },
    { title: p.actions, entries: actions },
  ].filter(({ entries }) => entries.length > 0)
  const all = groups.flatMap(({ entries }) => entries)
  const isSearching = wanted !== '' && found.isFetching
  const choose = (id: string) => {
    const chosen = all.find((entry) => entry.id === id)
    if (chosen === undefined) return
    onClose()
    chosen.act()
  }
  return (
    <ModalOverlay
      className="overlay overlay-top"
      isOpen
      isDismissable
      onOpenChange={(open) => open || onClose()}
    >
      <Modal className="dialog palette">
        <Dialog className="palette-body" aria-label={p.title}>
          <Autocomplete inputValue={typed} onInputChange={setTyped} disableVirtualFocus={false}>
            <TextField aria-label={p.title} autoFocus>
              <Input
                className="input palette-input"
                role="combobox"
                aria-expanded="true"
                maxLength={100}
                placeholder={p.placeholder}
                enterKeyHint="go"
              />
            </TextField>
            <ListBox
              aria-label={p.results}
              className="palette-list"
              selectionMode="none"
              onAction={(key) => choose(String(key))}
              renderEmptyState={() => <p className="palette-none">{isSearching ? p.searching : p.none}</p>}
            >
              {groups.map(({ title, entries }) => (
                <ListBoxSection key={title} id={title}>
                  <Header className="zone-head">{title}</Header>
                  {entries.map((entry) => (
                    <EntryOption key={entry.id} entry={entry} />
                  ))}
                </ListBoxSection>
              ))}
            </ListBox>
          </Autocomplete>
          {found.isError && wanted !== '' && (
            <p className="alert" role="alert">
              {errorText(found.error)}
            </p>
          )}
          <Live>{isSearching ? '' : tell(p.found, { count: all.length })}</Live>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function EntryOption({ entry: { id, label, detail, icon } }: { readonly entry: Entry }) {
  return (
    <ListBoxItem id={id} textValue={label} className="palette-option">
      {icon}
      <span className="palette-text">
        <span>{label}</span>
        {detail !== undefined && <small>{detail}</small>}
      </span>
    </ListBoxItem>
  )
}

/** What the server finds. The last answer stays until there is another. */
function useFound(wanted: string) {
  return useQuery({
    queryKey: ['search', wanted],
    enabled: wanted !== '',
    staleTime: 10_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await call<FoundView>(withQuery('/search', { q: wanted }), { signal })).body.items,
  })
}

/** Entries whose label has what was typed, the best first; all of them while nothing is typed. */
const fitting = (wanted: string, entries: readonly Entry[]): readonly Entry[] =>
  wanted === ''
    ? entries
    : entries
        .flatMap((entry) => {
          const rank = rankOf(wanted, entry.label)
          return rank === undefined ? [] : [{ entry, rank }]
        })
        .sort((a, b) => a.rank - b.rank)
        .map(({ entry }) => entry)

const pageEntries = (isAdmin: boolean): Entry[] =>
  pagesFor(isAdmin).flatMap(({ items }) =>
    items.map(({ to, label, icon: Icon }) => ({
      id: to,
      label,
      icon: <Icon size={18} />,
      act: () => navigate(to),
    })),
  )

function actionEntries(isAdmin: boolean): Entry[] {
  const begin = (to: string, label: string): Entry => ({
    id: to,
    label,
    icon: <PlusIcon size={18} />,
    act: () => navigate(to),
  })
  return [
    begin('/app/bookings?book=', words.bookings.bookForGuest),
    begin('/app/event-types?new=', words.eventTypes.add),
    begin('/app/forms?new=', words.forms.add),
    begin('/app/teams?new=', words.teams.add),
    begin('/app/webhooks?new=', words.webhooks.add),
    ...(isAdmin
      ? [{ ...begin('/app/people', words.people.invite), id: 'invite' }]
      : [begin('/app/move-in', words.nav.moveIn)]),
    {
      id: 'sign-out',
      label: words.nav.signOut,
      icon: <OutIcon size={18} />,
      act: () => void signOut(false),
    },
  ]
}

function resultEntry({ kind, id, title, detail, url }: FoundView['items'][number]): Entry {
  const Icon = KIND_ICONS[kind]
  return {
    id: `${kind} ${id}`,
    label: title,
    detail: `${words.palette.kinds[kind]} · ${detail}`,
    icon: <Icon size={18} />,
    act: () => navigate(url),
  }
}
