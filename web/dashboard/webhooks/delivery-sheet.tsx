import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from '../core/buttons.tsx'
import { call } from '../core/data/api.ts'
import { useOne } from '../core/data/data.ts'
import type { DeliveryView } from '../core/data/views.ts'
import { Sheet } from '../core/dialogs.tsx'
import { ErrorAlert } from '../core/fields/form-errors.tsx'
import { Loaded } from '../core/page.tsx'
import { tell, words } from '../words.ts'
import { DeliveryState, eventName } from './delivery-state.tsx'

interface Props {
  readonly path: string
  readonly onClose: () => void
  readonly onReplay: () => void
}

/** One delivery: what was sent, and what came back. */
export function DeliverySheet({ path, onClose, onReplay }: Props) {
  const delivery = useOne<DeliveryView>(path)
  const client = useQueryClient()
  const w = words.webhooks
  const replay = useMutation({
    mutationFn: () => call<DeliveryView>(`${path}/replay`, { method: 'POST', body: {} }),
    onSuccess: (answer) => {
      client.setQueryData(['one', path], answer)
      onReplay()
    },
  })
  return (
    <Sheet
      title={delivery.data === undefined ? w.delivery : eventName(delivery.data.body.event)}
      onClose={onClose}
      wide
    >
      <Loaded query={delivery}>
        {({ body }) => (
          <>
            <p>
              <DeliveryState status={body.status} />{' '}
              {body.test && <span className="muted small">{w.testDelivery} · </span>}
              <span className="muted small">{tell(w.attempts, { count: body.attempts })}</span>
            </p>
            {body.error !== '' && <p className="alert">{body.error}</p>}
            <Exchange title={w.request} {...body.request} />
            <Exchange
              title={
                body.responseStatus === null
                  ? w.noResponse
                  : tell(w.response, { status: body.responseStatus })
              }
              {...body.response}
            />
          </>
        )}
      </Loaded>
      <ErrorAlert error={replay.error} />
      <div className="actions actions-end">
        {replay.isSuccess && (
          <p className="muted" role="status">
            {w.replayed}
          </p>
        )}
        <Button busy={replay.isPending} onPress={() => replay.mutate()}>
          {w.replay}
        </Button>
        <Button kind="primary" onPress={onClose}>
          {words.close}
        </Button>
      </div>
    </Sheet>
  )
}

interface ExchangeProps {
  readonly title: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

function Exchange({ title, headers, body }: ExchangeProps) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <div>
      <h3>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards must reach what scrolls */}
      <pre className="code" tabIndex={0}>
        {[...lines, ...(lines.length > 0 ? [''] : []), indented(body)].join('\n')}
      </pre>
    </div>
  )
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2)
  } catch {
    return body
  }
}
