import { useState } from 'react'
import { offeredDurations } from '../../../src/domain/event-types/durations.ts'
import type { EventType } from '../../../src/domain/event-types/event-type.ts'
import { CURRENCIES, readAmount, writeAmount } from '../../../src/domain/payments/check-price.ts'
import { decimalsOf, formatPrice, type Price, priceOf } from '../../../src/domain/payments/price.ts'
import { writeDuration } from '../../../src/format/duration.ts'
import { useSpeech } from '../../parts/texts.tsx'
import type { Owner } from '../core/data/data.ts'
import { DurationInput, NumberInput, Select, Switch, TextInput } from '../core/fields/fields.tsx'
import { FieldError } from '../core/fields/form-errors.tsx'
import { Section } from '../core/page.tsx'
import { Link } from '../core/router.tsx'
import { tell, words } from '../words.ts'
import type { EventTypeSection } from './event-type-section.ts'
import { useHasAccount } from './has-account.ts'

interface Props extends EventTypeSection<'price'> {
  readonly owner: Owner
  /** What guests choose from. */
  readonly lengths: Pick<EventType, 'durationMinutes' | 'durations'>
  readonly requiresApproval: boolean
}

const FIRST: Price = { amount: 5000, currency: 'EUR', refund: { fullUntilMinutes: 1440, laterPercent: 0 } }

/** What guests pay, and what they get back. */
export function PriceSection({ draft: { price }, set, owner, lengths, requiresApproval }: Props) {
  const e = words.eventTypes
  const hasAccount = useHasAccount(owner)
  return (
    <Section id="price" title={e.price}>
      {hasAccount === false && (
        <p className="alert">
          {e.noAccount}{' '}
          <Link className="link" to="/app/calendars">
            {e.connectAccount}
          </Link>
        </p>
      )}
      <Switch
        label={e.priceSwitch}
        hint={e.priceSwitchHint}
        on={price !== null}
        // A price that is there can be taken away.
        disabled={hasAccount === false && price === null}
        onChange={(on) => set({ price: on ? FIRST : null })}
      />
      <FieldError field="price" />
      {price && (
        <>
          <Amounts
            price={price}
            lengths={offeredDurations(lengths)}
            onChange={(next) => set({ price: next })}
          />
          {requiresApproval && <p className="hint">{e.priceApproval}</p>}
          <Refunds price={price} onChange={(next) => set({ price: next })} />
        </>
      )}
    </Section>
  )
}

interface PriceProps {
  readonly price: Price
  readonly onChange: (price: Price) => void
}

function Amounts({ price, lengths, onChange }: PriceProps & { readonly lengths: readonly number[] }) {
  const e = words.eventTypes
  const { locale } = useSpeech()
  const { currency, byDuration = {} } = price
  const names = new Intl.DisplayNames(locale.tag, { type: 'currency' })
  const setAmount = (minutes: number, amount: number) => {
    if (lengths.length === 1) {
      const { byDuration: _, ...one } = price
      return onChange({ ...one, amount })
    }
    // Only of lengths that are offered: others are refused.
    const offered = Object.fromEntries(lengths.map((length) => [length, priceOf(price, length)]))
    onChange({ ...price, byDuration: { ...offered, [minutes]: amount } })
  }
  return (
    <>
      <div className="columns">
        {lengths.map((minutes) => (
          <AmountInput
            key={`${minutes} ${currency}`}
            label={
              lengths.length === 1
                ? e.priceAmount
                : tell(e.priceOfDuration, { duration: writeDuration(locale.tag, minutes) })
            }
            field={
              lengths.length === 1 || !(minutes in byDuration)
                ? 'price.amount'
                : `price.byDuration.${minutes}`
            }
            amount={priceOf(price, minutes)}
            currency={currency}
            onChange={(amount) => setAmount(minutes, amount)}
          />
        ))}
        <Select
          label={e.currency}
          field="price.currency"
          value={currency}
          options={CURRENCIES.map((code) => ({ id: code, label: `${code} · ${names.of(code)}` }))}
          onChange={(next) => onChange(inCurrency(price, next))}
        />
      </div>
      {lengths.length > 1 && <p className="hint">{e.priceEach}</p>}
    </>
  )
}

/** The same figures in another currency, which may have no decimals. */
function inCurrency(price: Price, currency: string): Price {
  const factor = 10 ** (decimalsOf(currency) - decimalsOf(price.currency))
  const scale = (amount: number) => Math.max(1, Math.round(amount * factor))
  const { byDuration } = price
  return {
    ...price,
    currency,
    amount: scale(price.amount),
    ...(byDuration && {
      byDuration: Object.fromEntries(
        Object.entries(byDuration).map(([minutes, amount]) => [minutes, scale(amount)]),
      ),
    }),
  }
}

interface AmountProps {
  readonly label: string
  readonly field: string
  readonly amount: number
  readonly currency: string
  readonly onChange: (amount: number) => void
}

/** An amount as people write it. What can't be read stays, and says so. */
function AmountInput({ label, field, amount, currency, onChange }: AmountProps) {
  const { locale } = useSpeech()
  const [text, setText] = useState(() => writeAmount(amount, currency, locale.tag))
  const read = readAmount(text, currency)
  // Undone or loaded again: then the text is that of another amount.
  const shown = read === undefined || read === amount ? text : writeAmount(amount, currency, locale.tag)
  return (
    <TextInput
      label={label}
      field={field}
      value={shown}
      error={
        read === undefined
          ? tell(words.eventTypes.priceInvalid, { example: writeAmount(FIRST.amount, currency, locale.tag) })
          : undefined
      }
      onChange={(next) => {
        setText(next)
        // Nothing that was typed is saved as something else: the server refuses 0.
        onChange(readAmount(next, currency) ?? 0)
      }}
    />
  )
}

/** What guests get back who cancel, as a sentence with inputs. */
function Refunds({ price, onChange }: PriceProps) {
  const e = words.eventTypes
  const { locale } = useSpeech()
  const { fullUntilMinutes, laterPercent } = price.refund
  const setRule = (part: Partial<Price['refund']>) =>
    onChange({ ...price, refund: { ...price.refund, ...part } })
  const percent = new Intl.NumberFormat(locale.tag, { style: 'percent' }).format(laterPercent / 100)
  const time = writeLength(locale.tag, fullUntilMinutes)
  const sentence =
    fullUntilMinutes === 0 || laterPercent === 100
      ? e.refundAlways
      : laterPercent === 0
        ? tell(e.refundOnlyBefore, { time })
        : tell(e.refundBefore, { time, percent })
  const amount = price.amount > 0 ? Math.ceil((price.amount * laterPercent) / 100) : 0
  return (
    <fieldset className="stack">
      <legend className="label">{e.refundRule}</legend>
      <div className="columns">
        <DurationInput
          label={e.refundUntil}
          hint={e.refundUntilHint}
          field="price.refund.fullUntilMinutes"
          minutes={fullUntilMinutes}
          onChange={(minutes) => setRule({ fullUntilMinutes: minutes })}
        />
        <NumberInput
          label={e.refundLater}
          field="price.refund.laterPercent"
          unit="%"
          {...(laterPercent > 0 &&
            laterPercent < 100 && { hint: formatPrice({ amount, currency: price.currency }, locale.tag) })}
          value={laterPercent}
          onChange={(share) => setRule({ laterPercent: share ?? 0 })}
        />
      </div>
      <p role="status">{sentence}</p>
      <p className="hint">{e.refundByHost}</p>
    </fieldset>
  )
}

const DAY_MINUTES = 1440

/** Whole days as such: "2 days". */
function writeLength(tag: string, minutes: number): string {
  if (minutes === 0 || minutes % DAY_MINUTES !== 0) return writeDuration(tag, minutes)
  return new Intl.NumberFormat(tag, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(
    minutes / DAY_MINUTES,
  )
}
