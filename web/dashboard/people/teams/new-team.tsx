import { call } from '../../core/data/api.ts'
import { useChange, useMe } from '../../core/data/data.ts'
import type { CreateTeam, TeamView } from '../../core/data/views.ts'
import { CreateSheet } from '../../core/dialogs.tsx'
import { TextInput } from '../../core/fields/fields.tsx'
import { SlugInput, useNameAndSlug } from '../../core/fields/slug.tsx'
import { navigate } from '../../core/router.tsx'
import { words } from '../../words.ts'

export function NewTeam({ onClose }: { readonly onClose: () => void }) {
  const { name, setName, slug, setSlug } = useNameAndSlug()
  const me = useMe().data?.body
  const create = useChange(() => {
    const body: CreateTeam = { name, slug, ...(me && { timezone: me.timezone }) }
    return call<TeamView>('/teams', { method: 'POST', body })
  }, ['/teams', '/me'])
  return (
    <CreateSheet
      title={words.teams.add}
      busy={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={() =>
        create.mutate(undefined, { onSuccess: ({ body }) => navigate(`/app/teams/${body.id}`) })
      }
    >
      <TextInput label={words.name} field="name" maxLength={200} value={name} onChange={setName} />
      <SlugInput value={slug} onChange={setSlug} />
    </CreateSheet>
  )
}
