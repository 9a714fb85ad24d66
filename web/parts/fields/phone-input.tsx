import { type ComponentProps, useEffect, useMemo, useRef, useState } from 'react'
import { CALLING_CODES, countryOfNumber, internationalNumber } from '../../../src/domain/people/phone.ts'
import { useSpeech } from '../texts.tsx'

interface Props {
  /** Of the input. */
  readonly common: ComponentProps<'input'>
  readonly value: string
  readonly onChange: (number: string) => void
  /** The country where the guest probably is. */
  readonly here: string | undefined
}

/** A number and its country. What is passed on is the number as the whole world dials it. */
export function PhoneInput({ common, value, onChange, here }: Props) {
  const { tell } = useSpeech()
  const [chosen, setChosen] = useState(() => countryOfNumber(value))
  const country = chosen ?? (here !== undefined && CALLING_CODES.has(here) ? here : OWN)
  const [typed, setTyped] = useState(() => withoutCode(value))
  const passedOn = useRef(value)
  useEffect(() => {
    // The site around the page may fill it in later.
    if (value === passedOn.current) return
    passedOn.current = value
    setChosen(countryOfNumber(value))
    setTyped(withoutCode(value))
  }, [value])

  const change = (text: string, from: string) => {
    setTyped(text)
    passedOn.current = internationalNumber(text, from)
    onChange(passedOn.current)
  }
  return (
    <div className="phone">
      <span className="phone-country">
        <span className="input" aria-hidden="true">
          +{CALLING_CODES.get(country)}
        </span>
        <CountrySelect
          label={tell('phoneCountry')}
          country={country}
          onChange={(other) => {
            setChosen(other)
            change(typed, other)
          }}
        />
      </span>
      <input
        {...common}
        className="input"
        type="tel"
        inputMode="tel"
        value={typed}
        onChange={({ target }) => {
          const named = countryOfNumber(target.value)
          if (named !== undefined) setChosen(named)
          change(target.value, named ?? country)
        }}
        onBlur={() => setTyped(withoutCode(typed))}
      />
    </div>
  )
}

interface SelectProps {
  readonly label: string
  readonly country: string
  readonly onChange: (country: string) => void
}

/** The browser's own list: everyone knows how to use it, by keyboard and on a phone. */
function CountrySelect({ label, country, onChange }: SelectProps) {
  const { tag } = useSpeech().locale
  const countries = useMemo(() => {
    const names = new Intl.DisplayNames(tag, { type: 'region' })
    return [...CALLING_CODES]
      .map(([id, code]) => ({ id, code, name: names.of(id) ?? id }))
      .sort((one, other) => one.name.localeCompare(other.name, tag))
  }, [tag])
  return (
    <select
      aria-label={label}
      autoComplete="off"
      value={country}
      onChange={({ target }) => onChange(target.value)}
    >
      {countries.map(({ id, code, name }) => (
        <option key={id} value={id}>
          {`${name} (+${code})`}
        </option>
      ))}
    </select>
  )
}

/** The rest of a number whose country is shown beside it. */
function withoutCode(number: string): string {
  const code = CALLING_CODES.get(countryOfNumber(number) ?? '')
  return code === undefined ? number : number.trim().replace(new RegExp(`^\\+\\s*${code}\\s*`), '')
}

/** The country of a language, which is the best guess without others. */
function regionOf(tag: string): string {
  try {
    const { region = '' } = new Intl.Locale(tag).maximize()
    return CALLING_CODES.has(region) ? region : 'US'
  } catch {
    return 'US'
  }
}

const OWN = regionOf(navigator.language)
