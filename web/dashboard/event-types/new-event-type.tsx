import { useState } from 'react'
import { EVENT_TYPE_DEFAULTS } from '../../../src/domain/event-types/event-type.ts'
import { call } from '../core/data/api.ts'
import { useAll, useChange } from '../core/data/data.ts'
import type { CreateEventType, EventTypeView, MemberView } from '../core/data/views.ts'
import { CreateSheet } from '../core/dialogs.tsx'
import { NumberInput, TextInput } from '../core/fields/fields.tsx'
import { OwnerSelect, teamOf, useOwnerChoice } from '../core/fields/owner-select.tsx'
import { SlugInput, useNameAndSlug } from '../core/fields/slug.tsx'
import { navigate } from '../core/router.tsx'
import { words } from '../words.ts'

export function NewEventType({ onClose }: { readonly onClose: () => void }) {
  const choice = useOwnerChoice()
  const { owner } = choice
  const members = useAll<MemberView>(`/teams/${owner?.id}/members`, owner?.team === true)
  const { name, setName, slug, setSlug } = useNameAndSlug()
  const [minutes, setMinutes] = useState<number | null>(EVENT_TYPE_DEFAULTS.durationMinutes)
  const e = words.eventTypes
  const create = useChange(() => {
    const body: CreateEventType = {
      name,
      slug,
      durationMinutes: minutes ?? 0,
      ...teamOf(owner),
      ...(owner?.team && {
        hosts: members.data?.map(({ userId }) => ({ userId, fixed: false })) ?? [],
        assignment: 'round-robin',
      }),
    }
    return call<EventTypeView>('/event-types', { method: 'POST', body })
  }, ['/event-types'])
  return (
    <CreateSheet
      title={e.add}
      busy={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={() =>
        create.mutate(undefined, { onSuccess: ({ body }) => navigate(`/app/event-types/${body.id}`) })
      }
    >
      <OwnerSelect choice={choice} hint={owner?.team ? e.teamHint : undefined} />
      <TextInput
        label={words.name}
        field="name"
        placeholder={words.welcome.eventDefault}
        maxLength={200}
        value={name}
        onChange={setName}
      />
      <SlugInput within={`${owner?.slug ?? ''}/`} value={slug} onChange={setSlug} />
      <NumberInput
        label={e.duration}
        field="durationMinutes"
        unit={words.units.minutes}
        value={minutes}
        onChange={setMinutes}
      />
    </CreateSheet>
  )
}
