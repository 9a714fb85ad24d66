import { useMutation, useQuery } from '@tanstack/react-query'
import { formatPrice } from '../../../../src/domain/payments/price.ts'
import { addDays } from '../../../parts/time/dates.ts'
import { Button } from '../../core/buttons.tsx'
import { listAll, withQuery } from '../../core/data/api.ts'
import { saveFile } from '../../core/data/save-file.ts'
import type { InsightsView, PaymentEntryView } from '../../core/data/views.ts'
import { ErrorAlert } from '../../core/fields/form-errors.tsx'
import { formatInstant, instantAt, useTimes } from '../../core/time/times.ts'
import { tell, words } from '../../words.ts'

interface Props extends Pick<InsightsView, 'payments'> {
  /** Days in the host's zone, both included. */
  readonly from: string
  readonly to: string
  /** Empty: everyone's. */
  readonly ownerId: string
}

/** What came in, went out and is disputed, by currency; and the ledger that it is counted from. */
export function Money({ payments, from, to, ownerId }: Props) {
  const { tag, zone } = useTimes()
  const midnight = (date: string) => formatInstant(instantAt(zone, date, '00:00'))
  const wanted = {
    from: midnight(from),
    to: midnight(addDays(to, 1)),
    ...(ownerId !== '' && { ownerId }),
  }
  const disputed = useQuery({
    queryKey: ['disputed', wanted],
    queryFn: ({ signal }) => listAll<PaymentEntryView>('/payments', signal, { ...wanted, kind: 'disputed' }),
  })
  const download = useMutation({
    mutationFn: () => saveFile(withQuery('/payments.csv', wanted), 'payments.csv'),
  })
  const i = words.insights
  const figures = payments.flatMap(({ currency, paid, refunded }) => {
    const asked = (disputed.data ?? []).filter((entry) => entry.currency === currency)
    const contested = asked.reduce((sum, { amount }) => sum + amount, 0)
    return [
      { name: tell(i.paid, { currency }), amount: paid, currency },
      { name: tell(i.refunded, { currency }), amount: refunded, currency },
      ...(contested > 0 ? [{ name: tell(i.disputed, { currency }), amount: contested, currency }] : []),
    ]
  })
  return (
    <>
      <dl className="figures">
        {figures.map(({ name, ...price }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{formatPrice(price, tag)}</dd>
          </div>
        ))}
      </dl>
      <div className="actions">
        <Button small busy={download.isPending} onPress={() => download.mutate()}>
          {i.paymentsCsv}
        </Button>
      </div>
      <ErrorAlert error={download.error} />
    </>
  )
}
