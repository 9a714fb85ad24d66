import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { type Page as ApiPage, call, fetchAsHost, withQuery } from '../core/api.ts'
import { Action, Trouble } from '../core/controls.tsx'
import { Empty, RowsSkeleton, Section } from '../core/page.tsx'
import { useTimes } from '../core/times.ts'
import type { EventTypeView, FormResponseView, FormView } from '../core/views.ts'
import { words } from '../words.ts'

interface ResponsesProps {
  readonly form: FormView
  readonly eventTypes: readonly EventTypeView[]
}

/** What visitors have answered, and where it led them. */
export function Responses({ form, eventTypes }: ResponsesProps) {
  const times = useTimes()
  const f = words.forms
  const path = `/routing-forms/${form.id}/responses`
  const list = useInfiniteQuery({
    queryKey: ['pages', path],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }) =>
      (
        await call<ApiPage<FormResponseView>>(
          withQuery(path, { limit: '50', cursor: pageParam === '' ? undefined : pageParam }),
          { signal },
        )
      ).body,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
  const download = useMutation({
    mutationFn: async () => {
      const blob = await (await fetchAsHost(`${path}.csv`)).blob()
      const url = URL.createObjectURL(blob)
      const link = document.createElement('a')
      link.href = url
      link.download = `${form.slug}-responses.csv`
      link.click()
      URL.revokeObjectURL(url)
    },
  })
  const found = list.data?.pages.flatMap(({ items }) => items)
  if (found === undefined) return list.isError ? <Trouble error={list.error} /> : <RowsSkeleton rows={5} />
  if (found.length === 0) return <Empty title={f.noResponses}>{f.noResponsesHint}</Empty>
  const result = ({ action, eventTypeId, redirectUrl, message }: FormResponseView['result']) => {
    if (action === 'redirect') return redirectUrl
    if (action === 'message') return message
    return eventTypes.find(({ id }) => id === eventTypeId)?.name ?? f.goneEvent
  }
  const answerOf = (answers: FormResponseView['answers'], id: string) => {
    const answer = answers[id]
    const option = form.fields.find((field) => field.id === id)?.options.find((one) => one.id === answer)
    return option?.label ?? (typeof answer === 'string' ? answer : '')
  }
  return (
    <Section
      title={f.responses}
      actions={
        <Action small busy={download.isPending} onPress={() => download.mutate()}>
          {f.csv}
        </Action>
      }
    >
      <Trouble error={download.error ?? list.error} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section className="table-scroll" tabIndex={0} aria-label={f.table}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{f.at}</th>
              {form.fields.map((field) => (
                <th key={field.id} scope="col">
                  {field.label}
                </th>
              ))}
              <th scope="col">{f.ledTo}</th>
            </tr>
          </thead>
          <tbody>
            {found.map((response) => (
              <tr key={response.id}>
                <td className="whitespace-nowrap">{times.moment(response.createdAt)}</td>
                {form.fields.map((field) => (
                  <td key={field.id} className="wrap-anywhere min-w-24">
                    {answerOf(response.answers, field.id)}
                  </td>
                ))}
                <td className="wrap-anywhere min-w-32">{result(response.result)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {list.hasNextPage && (
        <div className="text-center">
          <Action busy={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
            {words.more}
          </Action>
        </div>
      )}
    </Section>
  )
}
