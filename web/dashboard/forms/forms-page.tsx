import { AddButton, CopyButton } from '../core/buttons.tsx'
import { useAll, useOwners } from '../core/data/data.ts'
import type { FormView } from '../core/data/views.ts'
import { EmptyState, Loaded, Page } from '../core/page.tsx'
import { Link, useAdding } from '../core/router.tsx'
import { usePublicUrl } from '../core/share/public-url.ts'
import { list, tell, words } from '../words.ts'
import { NewForm } from './new-form.tsx'

export default function FormsPage() {
  const forms = useAll<FormView>('/routing-forms')
  const [adding, setAdding] = useAdding()
  const f = words.forms
  return (
    <Page
      title={f.title}
      lead={f.lead}
      actions={
        <AddButton kind="primary" onPress={() => setAdding(true)}>
          {f.add}
        </AddButton>
      }
    >
      <Loaded query={forms}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState title={f.none}>{f.noneHint}</EmptyState>
          ) : (
            <ul className="panel">
              {all.map((form) => (
                <FormRow key={form.id} form={form} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {adding && <NewForm onClose={() => setAdding(false)} />}
    </Page>
  )
}

function FormRow({ form }: { readonly form: FormView }) {
  const owner = useOwners().find(({ id }) => id === form.ownerId)
  const publicUrl = usePublicUrl()
  return (
    <li className="row">
      <div className="row-main">
        <Link className="row-title" to={`/app/forms/${form.id}`}>
          {form.name}
        </Link>
        <p className="row-sub">
          {list([
            tell(words.forms.fieldCount, { count: form.fields.length }),
            tell(words.forms.ruleCount, { count: form.rules.length }),
          ])}
          {owner?.team && ` · ${owner.name}`}
        </p>
      </div>
      <CopyButton text={`${publicUrl}/${owner?.slug ?? ''}/forms/${form.slug}`}>{words.copyLink}</CopyButton>
    </li>
  )
}
