import { isEmail } from '../../src/domain/people/contact.ts'
import { e164Of } from '../../src/domain/people/phone.ts'
import type { BookingData } from '../../src/http/pages/page-data.ts'
import { checkField, type FieldErrors } from '../parts/fields/check-field.ts'
import { Field } from '../parts/fields/field.tsx'
import { describeLocation } from '../parts/meeting/facts.tsx'
import { type Tell, useSpeech } from '../parts/texts.tsx'
import { useZoneCountry } from '../parts/time/zone-country.ts'
import { EmailField } from './email-field.tsx'
import { GuestsField } from './guests-field.tsx'
import { guestsIn, type Typed } from './use-booking.ts'

type Questions = BookingData['eventType']['questions']
type Locations = BookingData['eventType']['locations']

/** Errors by field: `name`, or `answers.` and the key of a question. */
export type Mistakes = FieldErrors

const OWN_FIELDS = [
  { name: 'name', type: 'text', text: 'name', required: true, autoComplete: 'name', most: 200 },
  { name: 'email', type: 'email', text: 'email', required: true, autoComplete: 'email', most: 254 },
  { name: 'phone', type: 'phone', text: 'phoneNumber', required: false, autoComplete: 'tel', most: 40 },
] as const

interface Props {
  readonly questions: Questions
  readonly locations: Locations
  readonly maxGuests: number
  /** Whether to ask if they want text messages. */
  readonly sms: boolean
  readonly typed: Typed
  readonly errors: Mistakes
  readonly onType: (typed: Typed) => void
}

/** The guest's name and contact, the host's questions, and notes. */
export function FormFields({ questions, locations, maxGuests, sms, typed, errors, onType }: Props) {
  const { tell } = useSpeech()
  const country = useZoneCountry()
  return (
    <>
      <LocationChoice
        locations={locations}
        chosen={typed.locationId}
        onChoose={(locationId) => onType({ ...typed, locationId })}
      />
      {ownFields(locations, typed).map(({ name, type, text, required, autoComplete }) =>
        name === 'email' ? (
          <EmailField
            key={name}
            value={typed.email}
            error={errors.email}
            onChange={(email) => onType({ ...typed, email })}
          />
        ) : (
          <Field
            key={name}
            name={name}
            label={tell(text)}
            type={type}
            required={required}
            autoComplete={autoComplete}
            country={country}
            value={typed[name]}
            error={errors[name]}
            onChange={(value) => onType({ ...typed, [name]: value })}
          />
        ),
      )}
      {sms && (
        <Field
          name="smsConsent"
          label={tell('smsConsent')}
          type="checkbox"
          required={false}
          value={typed.smsConsent}
          onChange={(value) => onType({ ...typed, smsConsent: value === true })}
        />
      )}
      {maxGuests > 0 && (
        <GuestsField
          value={typed.guests}
          most={maxGuests}
          error={errors.guests}
          onChange={(guests) => onType({ ...typed, guests })}
        />
      )}
      {questions.filter(isShown).map(({ key, label, type, required, options }) => (
        <Field
          key={key}
          name={key}
          label={label}
          type={type}
          required={required}
          country={country}
          options={options.map((option) => ({ id: option, label: option }))}
          value={typed.answers[key] ?? ''}
          error={errors[`answers.${key}`]}
          onChange={(value) => onType({ ...typed, answers: { ...typed.answers, [key]: value } })}
        />
      ))}
      <Field
        name="notes"
        label={tell('notes')}
        type="textarea"
        required={false}
        maxLength={5000}
        value={typed.notes}
        onChange={(value) => onType({ ...typed, notes: String(value) })}
      />
    </>
  )
}

/** Nobody could mend a hidden answer. */
const isShown = ({ hidden }: Questions[number]) => hidden !== true

/** The guest's name and contact. Where the host calls, and for text messages, their number is required. */
const ownFields = (locations: Locations, { locationId, smsConsent }: Typed) =>
  OWN_FIELDS.map((field) => {
    const called = locations.some(({ id, requiresPhone }) => id === locationId && requiresPhone)
    return field.name === 'phone' ? { ...field, required: called || smsConsent } : field
  })

interface ChoiceProps {
  readonly locations: Locations
  readonly chosen: string
  readonly onChoose: (id: string) => void
}

/** Where to meet, if there is a choice. */
function LocationChoice({ locations, chosen, onChoose }: ChoiceProps) {
  const { tell } = useSpeech()
  if (locations.length < 2) return null
  return (
    <fieldset className="field choices">
      <legend className="label">{tell('location')}</legend>
      {locations.map(({ id, label, ...location }) => {
        const description = describeLocation(tell, location)
        return (
          <label key={id} className="choice">
            <input
              type="radio"
              name="locationId"
              value={id}
              checked={id === chosen}
              onChange={() => onChoose(id)}
            />
            <span>
              {label || description}
              {label !== '' && label !== description && <span className="choice-more">{description}</span>}
            </span>
          </label>
        )
      })}
    </fieldset>
  )
}

/** The errors of all fields, in words. */
export function mistakesIn(
  tell: Tell,
  typed: Typed,
  { questions, locations, maxGuests }: BookingData['eventType'],
): Mistakes {
  const own = ownFields(locations, typed).map(({ name, most, ...field }) => [
    name,
    checkField(tell, field, typed[name], most),
  ])
  const asked = questions
    .filter(isShown)
    .map((question) => [`answers.${question.key}`, checkField(tell, question, typed.answers[question.key])])
  if (typed.smsConsent && typed.phone !== '' && e164Of(typed.phone) === undefined)
    own.push(['phone', tell('isNoPhone')])
  const guests = [['guests', guestsMistake(tell, typed, maxGuests)]]
  return Object.fromEntries([...own, ...guests, ...asked].filter(([, mistake]) => mistake !== undefined))
}

function guestsMistake(tell: Tell, typed: Typed, most: number): string | undefined {
  const guests = guestsIn(typed)
  if (guests.length > most) return tell('tooManyGuests', { count: most })
  return guests.every((email) => isEmail(email)) ? undefined : tell('isNoEmail')
}
