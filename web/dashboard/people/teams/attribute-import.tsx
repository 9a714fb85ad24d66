import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { cellOf } from '../../../../src/domain/people/attributes.ts'
import { csvLine } from '../../../../src/format/text/csv.ts'
import { Button } from '../../core/buttons.tsx'
import { call, withQuery } from '../../core/data/api.ts'
import { useAll, useChange } from '../../core/data/data.ts'
import { saveBlob } from '../../core/data/save-file.ts'
import type { AttributeImportView, AttributeView, MemberView, TeamView } from '../../core/data/views.ts'
import { Sheet } from '../../core/dialogs.tsx'
import { ErrorAlert } from '../../core/fields/form-errors.tsx'
import { tell, words } from '../../words.ts'
import { valueText } from './member-attributes.tsx'

interface Props {
  readonly team: TeamView
  readonly attributes: readonly AttributeView[]
  readonly onClose: () => void
}

/** Sets the attributes of many members from a file, after showing what it would change. */
export function AttributeImport({ team, attributes, onClose }: Props) {
  const chooser = useRef<HTMLInputElement>(null)
  const path = `/teams/${team.id}/attributes/import`
  const dryRun = useMutation({
    mutationFn: async (file: File) => {
      const body = new Blob([file], { type: 'text/csv' })
      const answer = await call<AttributeImportView>(withQuery(path, { dryRun: 'true' }), {
        method: 'POST',
        body,
      })
      return { body, name: file.name, rows: answer.body.rows }
    },
  })
  const save = useChange((body: Blob) => call(path, { method: 'POST', body }), [`/teams/${team.id}/members`])
  const t = words.attributes
  const columns = ['email', ...attributes.map(({ key }) => key)].join(', ')
  const plan = dryRun.data
  const changed = plan?.rows.filter(({ changes }) => changes.length > 0).length ?? 0
  const wrong = plan?.rows.filter(({ problem }) => problem !== null).length ?? 0
  return (
    <Sheet title={t.importTitle} wide onClose={onClose}>
      <p className="muted">{tell(t.importHint, { columns })}</p>
      <div className="actions">
        <input
          ref={chooser}
          type="file"
          hidden
          accept=".csv,text/csv"
          aria-label={t.choose}
          onChange={({ target }) => {
            const [file] = target.files ?? []
            save.reset()
            if (file !== undefined) dryRun.mutate(file)
            // So that the same file can be chosen again once it is corrected.
            target.value = ''
          }}
        />
        <Button busy={dryRun.isPending} onPress={() => chooser.current?.click()}>
          {plan === undefined ? t.choose : t.chooseAnother}
        </Button>
        <Download team={team} attributes={attributes} />
      </div>
      <ErrorAlert error={dryRun.error ?? save.error} />
      {plan !== undefined && !dryRun.isPending && (
        <>
          <PlannedRows
            rows={plan.rows}
            attributes={attributes}
            caption={tell(t.preview, { file: plan.name })}
          />
          <p role="status">
            {wrong > 0 ? tell(t.problems, { count: wrong }) : changed === 0 ? t.nothing : ''}
          </p>
        </>
      )}
      <div className="actions actions-end">
        <Button onPress={onClose}>{words.cancel}</Button>
        {plan !== undefined && wrong === 0 && changed > 0 && (
          <Button
            kind="primary"
            busy={save.isPending}
            onPress={() => save.mutate(plan.body, { onSuccess: onClose })}
          >
            {tell(t.save, { count: changed })}
          </Button>
        )}
      </div>
    </Sheet>
  )
}

interface RowsProps {
  readonly rows: AttributeImportView['rows']
  readonly attributes: readonly AttributeView[]
  readonly caption: string
}

function PlannedRows({ rows, attributes, caption }: RowsProps) {
  const t = words.attributes
  const labels = new Map(attributes.map(({ key, label }) => [key, label]))
  const shown = (value: string | readonly string[] | null) =>
    value === null ? t.notSet : valueText(value as string | string[])
  return (
    <table className="table table-stacked">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          <th>{t.row}</th>
          <th>{t.member}</th>
          <th>{t.change}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ row, email, name, changes, problem }) => (
          <tr key={row}>
            <td data-label={t.row}>{row}</td>
            <td data-label={t.member}>{name ?? email}</td>
            <td data-label={t.change}>
              {problem !== null && <span className="danger">{problem}</span>}
              {problem === null && changes.length === 0 && <span className="muted">{t.noChange}</span>}
              {changes
                .map(({ key, before, after }) =>
                  tell(t.changeOf, {
                    label: labels.get(key) ?? key,
                    before: shown(before),
                    after: shown(after),
                  }),
                )
                .join('; ')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The present values, as a file to edit and import. */
function Download({ team, attributes }: Pick<Props, 'team' | 'attributes'>) {
  const members = useAll<MemberView>(`/teams/${team.id}/members`).data ?? []
  const keys = attributes.map(({ key }) => key)
  const save = () => {
    const lines = members.map(({ email, attributes: set }) =>
      csvLine([email, ...keys.map((key) => cellOf(set[key]))]),
    )
    const csv = csvLine(['email', ...keys]) + lines.join('')
    saveBlob(new Blob([csv], { type: 'text/csv' }), `${team.slug}-attributes.csv`)
  }
  return <Button onPress={save}>{words.attributes.download}</Button>
}
