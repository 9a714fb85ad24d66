import { type FormEvent, useEffect, useRef, useState } from 'react'
import { isChoice } from '../../src/domain/event-types/questions.ts'
import { isWebAddress } from '../../src/domain/people/contact.ts'
import type { FormData } from '../../src/http/pages/page-data.ts'
import { ApiFailure, post } from '../parts/api.ts'
import { Captcha, Unsolved, useCaptcha } from '../parts/captcha/captcha.tsx'
import { tellSite, useSetup, withCarriedQuery } from '../parts/embedding.ts'
import { checkField, stillShown } from '../parts/fields/check-field.ts'
import { Field, focusFirstError } from '../parts/fields/field.tsx'
import { Honeypot } from '../parts/fields/honeypot.tsx'
import { chosenIn } from '../parts/fields/several.ts'
import { Frame, Host } from '../parts/frame.tsx'
import { CheckIcon } from '../parts/icons.tsx'
import { handOver, type Prefill, readArrival } from '../parts/prefill.ts'
import { RichText } from '../parts/rich-text.ts'
import { type Tell, useSpeech } from '../parts/texts.tsx'
import { useLeaving } from './leaving.ts'

const arrival = readArrival()

type FormField = FormData['form']['fields'][number]
type Answers = Readonly<Record<string, string>>

interface Result {
  readonly action: 'routeToEvent' | 'redirect' | 'message'
  readonly eventTypeSlug: string | null
  readonly redirectUrl: string | null
  readonly routingToken?: string
  readonly message: string | null
}

type Progress = 'asking' | 'sending' | 'leaving'

/** Shows the host's questions, and routes the visitor by their answers. */
export function FormPage({ data }: { readonly data: FormData }) {
  const { tell } = useSpeech()
  const { host, form, base } = data
  const { answers, setAnswers, utm } = useAnswers(form.fields)
  const [errors, setErrors] = useState<Answers>({})
  const [failure, setFailure] = useState<string>()
  const [progress, setProgress] = useState<Progress>('asking')
  const [message, setMessage] = useState<string>()
  const element = useRef<HTMLFormElement>(null)
  const honeypot = useRef<HTMLInputElement>(null)
  const address = `${base}/api/public/routing/${host.slug}/${form.slug}`
  const captcha = useCaptcha(data.captcha, address, 'route')
  const leaving = useLeaving(
    address,
    form.fields.map(({ id }) => id),
  )

  const show = (found: Answers) => {
    setErrors(found)
    setTimeout(() => element.current && focusFirstError(element.current))
  }

  const change = (next: Answers) => {
    setAnswers(next)
    const isChanged = (id: string) => next[id] !== answers[id]
    setErrors((shown) => stillShown(shown, errorsIn(form.fields, next, tell), isChanged))
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (progress !== 'asking') return
    setFailure(undefined)
    const found = errorsIn(form.fields, answers, tell)
    if (Object.keys(found).length > 0) return show(found)
    setErrors({})
    setProgress('sending')
    tellSite('submitting', { formId: form.id })
    try {
      const given = form.fields
        .filter(({ id }) => answers[id]?.trim())
        .map((field) => [field.id, answerOf(field, answers[field.id] ?? '')])
      const { body } = await post<Result>(`${address}/evaluate`, {
        answers: Object.fromEntries(given),
        ...(data.honeypot && { honeypotValue: honeypot.current?.value ?? '' }),
        ...(captcha.provider !== '' && { captchaToken: await captcha.token() }),
      })
      leaving.answer()
      lead(body)
    } catch (error) {
      // The server may have used up the solution.
      if (error instanceof ApiFailure && error.status >= 400) captcha.reset()
      setProgress('asking')
      tellSite('failed', { formId: form.id, status: error instanceof ApiFailure ? error.status : 0 })
      refuse(error)
    }
  }

  const lead = (result: Result) => {
    if (result.action === 'routeToEvent' && result.eventTypeSlug !== null) {
      tellSite(
        'routed',
        { formId: form.id, eventTypeSlug: result.eventTypeSlug },
        { actionType: 'eventTypeRedirectUrl', routedTo: `${host.slug}/${result.eventTypeSlug}` },
      )
      const path = `${base}/${host.slug}/${result.eventTypeSlug}`
      handOver(path, { prefill: prefillOf(form.fields, answers), utm })
      setProgress('leaving')
      const token = result.routingToken
      location.assign(withCarriedQuery(token === undefined ? path : `${path}?routing=${token}`))
    } else if (result.action === 'redirect' && isWebAddress(result.redirectUrl ?? '')) {
      const routedTo = result.redirectUrl as string
      tellSite('routed', { formId: form.id }, { actionType: 'externalRedirectUrl', routedTo })
      setProgress('leaving')
      // Other sites may forbid frames, so they get the whole window.
      open(result.redirectUrl as string, data.embed === false ? '_self' : '_top')
    } else {
      tellSite(
        'routed',
        { formId: form.id },
        { actionType: 'customPageMessage', routedTo: result.message ?? '' },
      )
      setProgress('asking')
      setMessage(result.message ?? '')
    }
  }

  const startOver = () => {
    // The solution has been used.
    captcha.reset()
    setMessage(undefined)
  }

  const refuse = (error: unknown) => {
    if (error instanceof Unsolved) return setFailure(error.message)
    if (!(error instanceof ApiFailure) || error.status === 0 || error.status >= 500) {
      return setFailure(tell('notReached'))
    }
    if (error.status === 404) return setFailure(tell('notOffered'))
    // The message names the field, so it is shown there.
    const field = form.fields.find(({ label }) => quotedIn(error.message).includes(label.trim()))
    if (field === undefined) setFailure(error.message)
    else show({ [field.id]: error.message })
  }

  return (
    <Frame {...data}>
      <main className="card form-page">
        <Host host={host} />
        {message === undefined ? (
          <>
            <h1>{form.name}</h1>
            {form.description !== null && <RichText text={form.description} />}
            <form
              ref={element}
              noValidate
              className="fields"
              onSubmit={(event) => void submit(event)}
              onFocus={({ target }) => leaving.reach(target.getAttribute('name') ?? '')}
            >
              <Questions fields={form.fields} answers={answers} errors={errors} onAnswer={change} />
              {data.honeypot && <Honeypot inputRef={honeypot} />}
              {captcha.provider !== '' && <Captcha state={captcha} />}
              <div role="alert">{failure !== undefined && <p className="alert">{failure}</p>}</div>
              <ContinueButton progress={progress} />
            </form>
          </>
        ) : (
          <Thanks message={message} onAgain={startOver} />
        )}
      </main>
    </Frame>
  )
}

/** What the visitor has answered, beginning with what the link or the site around the page fills in. */
function useAnswers(fields: readonly FormField[]) {
  const [answers, setAnswers] = useState<Answers>(() => answersFrom(fields, arrival.prefill))
  const [utm, setUtm] = useState(arrival.utm)
  useSetup((setup) => {
    const known = Object.entries(answersFrom(fields, setup.prefill))
    setAnswers((present) => Object.fromEntries(known.map(([id, answer]) => [id, present[id] || answer])))
    setUtm({ ...setup.utm, ...arrival.utm })
  })
  return { answers, setAnswers, utm }
}

interface QuestionsProps {
  readonly fields: readonly FormField[]
  readonly answers: Answers
  readonly errors: Answers
  readonly onAnswer: (answers: Answers) => void
}

function Questions({ fields, answers, errors, onAnswer }: QuestionsProps) {
  return fields.map((field) => (
    <Field
      key={field.id}
      name={field.id}
      label={field.label}
      type={field.type}
      required={field.required}
      options={field.options}
      value={answers[field.id] ?? ''}
      error={errors[field.id]}
      {...completion(field)}
      onChange={(value) => onAnswer({ ...answers, [field.id]: String(value) })}
    />
  ))
}

function ContinueButton({ progress }: { readonly progress: Progress }) {
  const { tell } = useSpeech()
  return (
    <button type="submit" className="button" aria-disabled={progress !== 'asking'}>
      {progress !== 'asking' && <span className="spinner" aria-hidden="true" />}
      {tell(progress === 'asking' ? 'continue' : progress === 'sending' ? 'sending' : 'leading')}
    </button>
  )
}

function Thanks({ message, onAgain }: { readonly message: string; readonly onAgain: () => void }) {
  const { tell } = useSpeech()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="fade-in">
      <span className="mark" aria-hidden="true">
        <CheckIcon size={26} />
      </span>
      <h1 ref={heading} tabIndex={-1}>
        {tell('thanks')}
      </h1>
      <RichText text={message} />
      <button type="button" className="text-button" onClick={onAgain}>
        {tell('startAgain')}
      </button>
    </div>
  )
}

/** What is wrong with the answers, by field. */
function errorsIn(fields: readonly FormField[], answers: Answers, tell: Tell): Answers {
  const found: Record<string, string> = {}
  for (const field of fields) {
    const wrong = checkField(tell, field, answers[field.id])
    if (wrong !== undefined) found[field.id] = wrong
  }
  return found
}

/** What a sentence puts in quotation marks, in any of our languages. */
const quotedIn = (sentence: string) => sentence.split(/["„“”«»「」]/).map((part) => part.trim())

function completion({ id, type }: FormField): { autoComplete?: string } {
  if (type === 'email') return { autoComplete: 'email' }
  if (type === 'phone') return { autoComplete: 'tel' }
  return id === 'name' ? { autoComplete: 'name' } : {}
}

/** An answer as it is sent: several choices as a list. */
const answerOf = ({ type, options }: FormField, answer: string) =>
  type === 'multiselect'
    ? chosenIn(
        answer,
        options.map(({ id }) => id),
      )
    : answer

function answersFrom(fields: readonly FormField[], prefill: Prefill): Answers {
  const known = fields.map(({ id, type, options }) => {
    const given = prefill[id] ?? ''
    if (!isChoice(type)) return [id, given] as const
    const lines = given.split('\n')
    const chosen = options.filter((option) => lines.includes(option.id) || lines.includes(option.label))
    return [id, chosen.map((option) => option.id).join('\n')] as const
  })
  return Object.fromEntries(known)
}

/** Prefill for the booking page: answers by field id, and the email address and phone number by type. */
function prefillOf(fields: readonly FormField[], answers: Answers): Prefill {
  const prefill: Record<string, string> = {}
  for (const { id, type, options } of fields) {
    const answer = answers[id]?.trim() ?? ''
    if (answer === '') continue
    const labelOf = (line: string) => options.find((option) => option.id === line)?.label ?? line
    prefill[id] = isChoice(type) ? answer.split('\n').map(labelOf).join('\n') : answer
    if (type === 'email' || type === 'phone') prefill[type] ??= answer
  }
  return prefill
}
