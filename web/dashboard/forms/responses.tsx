import { useMutation } from '@tanstack/react-query'
import { writeAnswer } from '../../../src/domain/event-types/questions.ts'
import { Button } from '../core/buttons.tsx'
import { usePages } from '../core/data/data.ts'
import { saveFile } from '../core/data/save-file.ts'
import type { EventTypeView, FormResponseView, FormView } from '../core/data/views.ts'
import { ErrorAlert } from '../core/fields/form-errors.tsx'
import { EmptyState, RowsSkeleton, Section, ShowMore } from '../core/page.tsx'
import { Link } from '../core/router.tsx'
import { useTimes } from '../core/time/times.ts'
import { words } from '../words.ts'

interface Props {
  readonly form: FormView
  readonly eventTypes: readonly EventTypeView[]
}

/** What visitors answered, and where they were sent. */
export function Responses({ form, eventTypes }: Props) {
  const f = words.forms
  const path = `/routing-forms/${form.id}/responses`
  const list = usePages<FormResponseView>(path, { limit: '50' })
  const download = useMutation({ mutationFn: () => saveFile(`${path}.csv`, `${form.slug}-responses.csv`) })
  const { items } = list
  if (items === undefined) {
    return list.isError ? <ErrorAlert error={list.error} /> : <RowsSkeleton rows={5} />
  }
  if (items.length === 0) return <EmptyState title={f.noResponses}>{f.noResponsesHint}</EmptyState>
  return (
    <Section
      title={f.responses}
      actions={
        <Button small busy={download.isPending} onPress={() => download.mutate()}>
          {f.csv}
        </Button>
      }
    >
      <ErrorAlert error={download.error ?? list.error} />
      <ResponsesTable form={form} eventTypes={eventTypes} responses={items} />
      <ShowMore list={list} />
    </Section>
  )
}

function ResponsesTable({
  form,
  eventTypes,
  responses,
}: Props & { readonly responses: readonly FormResponseView[] }) {
  const times = useTimes()
  const f = words.forms
  const resultOf = ({ action, eventTypeId, redirectUrl, message }: FormResponseView['result']) => {
    if (action === 'redirect') return redirectUrl
    if (action === 'message') return message
    return eventTypes.find(({ id }) => id === eventTypeId)?.name ?? f.deletedEvent
  }
  const answerTo = ({ id, options }: FormView['fields'][number], answers: FormResponseView['answers']) => {
    const labelOf = (answer: unknown) => options.find((option) => option.id === answer)?.label ?? answer
    return writeAnswer([answers[id] ?? []].flat().map((answer) => String(labelOf(answer))))
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards must reach what scrolls
    <section className="table-scroll" tabIndex={0} aria-label={f.table}>
      <table className="table table-stacked">
        <thead>
          <tr>
            <th scope="col">{f.at}</th>
            {form.fields.map((field) => (
              <th key={field.id} scope="col">
                {field.label}
              </th>
            ))}
            <th scope="col">{f.result}</th>
            <th scope="col">{f.booking}</th>
          </tr>
        </thead>
        <tbody>
          {responses.map((response) => (
            <tr key={response.id}>
              <td className="table-time" data-label={f.at}>
                {times.moment(response.createdAt)}
              </td>
              {form.fields.map((field) => (
                <td key={field.id} data-label={field.label}>
                  {answerTo(field, response.answers)}
                </td>
              ))}
              <td data-label={f.result}>{resultOf(response.result)}</td>
              <td data-label={f.booking}>
                {response.bookingId !== null && (
                  <Link className="link" to={`/app/bookings/${response.bookingId}`}>
                    {f.viewBooking}
                  </Link>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
