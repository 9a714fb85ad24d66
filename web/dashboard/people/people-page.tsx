import { useDeferredValue, useState } from 'react'
import { Button } from '../core/buttons.tsx'
import { call } from '../core/data/api.ts'
import { useChange, useMe, usePages } from '../core/data/data.ts'
import type { PersonView } from '../core/data/views.ts'
import { Confirm } from '../core/dialogs.tsx'
import { Select } from '../core/fields/fields.tsx'
import { ErrorAlert } from '../core/fields/form-errors.tsx'
import { EmptyState, Loaded, Page, Section, ShowMore } from '../core/page.tsx'
import { useRoute } from '../core/router.tsx'
import { ListToolbar } from '../core/sorting.tsx'
import { useTimes } from '../core/time/times.ts'
import { type RowPlace, WindowedList } from '../core/windowed.tsx'
import { tell, words } from '../words.ts'
import { DeletePerson } from './delete-person.tsx'
import { DisablePerson } from './disable-person.tsx'
import { Invitations } from './teams/invitations.tsx'

const SORTS = ['name', 'newest', 'oldest'] as const

type Sort = (typeof SORTS)[number]

/** As the server calls them. */
const ORDERS: Readonly<Record<Sort, string>> = { name: 'name', newest: '-created', oldest: 'created' }

type Asked = 'disable' | 'sign-out' | 'reset-passkeys' | 'delete'

/** Everyone who has an account here, for admins of the instance. */
export default function PeoplePage() {
  const [typed, setTyped] = useState(useRoute().query.get('search') ?? '')
  const search = useDeferredValue(typed.trim())
  const [sort, setSort] = useState<Sort>('name')
  const asked = { search: search || undefined, sort: ORDERS[sort], limit: '100' }
  const people = usePages<PersonView>('/people', asked, () => true)
  const me = useMe().data?.body
  const [asking, setAsking] = useState<{ readonly person: PersonView; readonly what: Asked }>()
  const update = useChange(
    ({ id, ...body }: { id: string; role?: string; disabled?: boolean }) =>
      call(`/people/${id}`, { method: 'PATCH', body }),
    ['/people', '/me'],
  )
  const p = words.people
  return (
    <Page title={p.title} lead={p.lead}>
      <Invitations title={p.invite} hint={p.inviteHint} path="/instance-invitations" />
      <Section title={p.everyone}>
        <ListToolbar
          typed={typed}
          onType={setTyped}
          placeholder={p.search}
          sort={sort}
          sorts={SORTS}
          onSort={setSort}
        />
        <ErrorAlert error={update.error} />
        <Loaded query={{ ...people, data: people.items }}>
          {(all) =>
            all.length === 0 ? (
              <EmptyState title={p.none} />
            ) : (
              <WindowedList
                className="rows-inner"
                items={all}
                onEnd={people.hasNextPage ? () => void people.fetchNextPage() : undefined}
              >
                {(person, place) => (
                  <PersonRow
                    key={person.id}
                    person={person}
                    place={place}
                    own={person.id === me?.id}
                    onRole={(role) => update.mutate({ id: person.id, role })}
                    onEnable={() => update.mutate({ id: person.id, disabled: false })}
                    onAsk={(what) => setAsking({ person, what })}
                  />
                )}
              </WindowedList>
            )
          }
        </Loaded>
        <ShowMore list={people} />
      </Section>
      {asking?.what === 'delete' && (
        <DeletePerson person={asking.person} onClose={() => setAsking(undefined)} />
      )}
      {asking?.what === 'disable' && (
        <DisablePerson person={asking.person} onClose={() => setAsking(undefined)} />
      )}
      {asking && asking.what !== 'delete' && asking.what !== 'disable' && (
        <Ask person={asking.person} what={asking.what} onClose={() => setAsking(undefined)} />
      )}
    </Page>
  )
}

interface RowProps {
  readonly person: PersonView
  readonly place: RowPlace
  readonly own: boolean
  readonly onRole: (role: string) => void
  readonly onEnable: () => void
  readonly onAsk: (what: Asked) => void
}

function PersonRow({ person, place, own, onRole, onEnable, onAsk }: RowProps) {
  const times = useTimes()
  const p = words.people
  const { name, email, role, disabled, teams, sessions, tokens, passkeys, createdAt } = person
  return (
    <li className="row" {...place.props}>
      <div className="row-main">
        <p className="row-title">
          {name}
          {own && <span className="muted"> ({words.you})</span>}
          {disabled && <span className="status"> {p.disabled}</span>}
        </p>
        <p className="row-sub">
          {email} · {tell(words.teams.since, { time: times.moment(createdAt) })}
        </p>
        <p className="row-sub">
          {[
            ...teams.map((team) => team.name),
            sessions === 0 ? p.noSessions : tell(p.sessions, { count: sessions }),
            ...(tokens > 0 ? [tell(p.tokens, { count: tokens })] : []),
            ...(passkeys > 0 ? [tell(words.passkeys.of, { count: passkeys })] : []),
          ].join(' · ')}
        </p>
      </div>
      <div className="role">
        <Select
          label={tell(words.teams.roleOf, { name })}
          hideLabel
          value={role}
          options={[
            { id: 'member', label: words.roles.member },
            { id: 'admin', label: words.roles.admin },
          ]}
          onChange={onRole}
        />
      </div>
      {(sessions > 0 || tokens > 0) && !own && (
        <Button small label={tell(p.signOutOf, { name })} onPress={() => onAsk('sign-out')}>
          {p.signOut}
        </Button>
      )}
      {passkeys > 0 && !own && (
        <Button small label={tell(words.passkeys.resetOf, { name })} onPress={() => onAsk('reset-passkeys')}>
          {words.passkeys.reset}
        </Button>
      )}
      {!own &&
        (disabled ? (
          <Button small label={tell(p.enableOf, { name })} onPress={onEnable}>
            {p.enable}
          </Button>
        ) : (
          <Button small label={tell(p.disableOf, { name })} onPress={() => onAsk('disable')}>
            {p.disable}
          </Button>
        ))}
      {!own && (
        <Button small label={tell(p.deleteOf, { name })} onPress={() => onAsk('delete')}>
          {p.delete}
        </Button>
      )}
    </li>
  )
}

interface AskProps {
  readonly person: PersonView
  readonly what: Exclude<Asked, 'delete' | 'disable'>
  readonly onClose: () => void
}

function Ask({ person, what, onClose }: AskProps) {
  const p = words.people
  const act = useChange(() => {
    if (what === 'sign-out') return call(`/people/${person.id}/sign-out`, { method: 'POST', body: {} })
    return call(`/people/${person.id}/passkeys`, { method: 'DELETE' })
  }, ['/people'])
  const { resetTitle, reset, resetHint } = words.passkeys
  const t = {
    'sign-out': p.signingOut,
    'reset-passkeys': { title: resetTitle, confirm: reset, hint: resetHint },
  }[what]
  return (
    <Confirm
      title={tell(t.title, { name: person.name })}
      confirm={t.confirm}
      busy={act.isPending}
      error={act.error}
      onClose={onClose}
      onConfirm={() => act.mutate(undefined, { onSuccess: onClose })}
    >
      <p>{t.hint}</p>
    </Confirm>
  )
}
