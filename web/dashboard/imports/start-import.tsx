import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { writeSize } from '../../../src/domain/size.ts'
import { Button, SubmitButton } from '../core/buttons.tsx'
import { call } from '../core/data/api.ts'
import { upload } from '../core/data/upload.ts'
import type { ImportView } from '../core/data/views.ts'
import { Segments, TextInput } from '../core/fields/fields.tsx'
import { ErrorLine, FormError, FormErrors } from '../core/fields/form-errors.tsx'
import { Section } from '../core/page.tsx'
import { navigate, useUnsaved } from '../core/router.tsx'
import { useTimes } from '../core/time/times.ts'
import { moveInWords, tell, words } from '../words.ts'
import { SOURCE_NAMES } from './imports.ts'
import { Progress } from './progress.tsx'

type Source = ImportView['source']

const WAYS = ['dump', 'database', 'api'] as const

type Way = (typeof WAYS)[number]

const MAX_DUMP = 1024 ** 3

interface Props {
  readonly isAdmin: boolean
  readonly source: Source
}

/** Asks where to read from, and begins. */
export function StartImport({ isAdmin, source: asked }: Props) {
  const [chosen, setSource] = useState<Source>(asked)
  // Others bring their own Calendly account.
  const source = isAdmin ? chosen : 'calendly'
  const [way, setWay] = useState<Way>('dump')
  const [file, setFile] = useState<File>()
  const [mistake, setMistake] = useState<string>()
  const [database, setDatabase] = useState('')
  const [api, setApi] = useState('https://api.cal.com')
  const [token, setToken] = useState('')
  const [part, setPart] = useState(0)
  const stop = useRef<AbortController>(undefined)
  const m = moveInWords
  const isDump = source === 'calcom' && way === 'dump'

  const start = useMutation({
    mutationFn: async () => {
      if (isDump) {
        stop.current = new AbortController()
        const options = { onProgress: setPart, signal: stop.current.signal }
        return upload<{ id: string }>('/imports?source=calcom', file as File, options)
      }
      const body =
        source === 'calendly'
          ? { source, token }
          : way === 'database'
            ? { source, database }
            : { source, api, token }
      return (await call<{ id: string }>('/imports', { method: 'POST', body })).body
    },
    onMutate: () => setPart(0),
    onSuccess: ({ id }) => navigate(`/app/move-in/${id}`, { force: true }),
  })
  const isUploading = start.isPending && isDump
  const abort = () => stop.current?.abort()
  useUnsaved(isUploading, { kept: false, onLeave: abort })
  const wasStopped = start.error instanceof DOMException

  const send = (event: FormEvent) => {
    event.preventDefault()
    if (start.isPending) return
    const wrong = !isDump ? undefined : file === undefined ? m.noFile : mistakeIn(file)
    setMistake(wrong)
    if (wrong === undefined) start.mutate()
  }
  const again = () => {
    start.reset()
    setMistake(undefined)
  }
  return (
    <Section title={m.from}>
      <FormErrors error={wasStopped ? null : start.error}>
        <form className="stack" onSubmit={send} noValidate>
          <ul className="promises">
            {m.promises.map((promise) => (
              <li key={promise}>{promise}</li>
            ))}
          </ul>
          {isAdmin && (
            <Segments
              label={m.service}
              value={source}
              options={(['calcom', 'calendly'] as const).map((id) => ({ id, label: SOURCE_NAMES[id] }))}
              onChange={(next) => {
                setSource(next)
                setToken('')
                again()
              }}
            />
          )}
          {source === 'calcom' && (
            <Segments
              label={m.way}
              value={way}
              options={WAYS.map((id) => ({ id, label: m.ways[id] }))}
              onChange={(next) => {
                setWay(next)
                again()
              }}
            />
          )}
          {isDump && (
            <DumpField
              file={file}
              mistake={mistake}
              disabled={start.isPending}
              onChange={(next) => {
                again()
                setFile(next)
                setMistake(mistakeIn(next))
              }}
            />
          )}
          {source === 'calcom' && way === 'database' && (
            <TextInput
              label={m.database}
              hint={m.databaseHint}
              field="database"
              type="password"
              autoComplete="off"
              maxLength={2000}
              value={database}
              onChange={setDatabase}
            />
          )}
          {source === 'calcom' && way === 'api' && (
            <TextInput label={m.api} field="api" type="url" maxLength={2000} value={api} onChange={setApi} />
          )}
          {(source === 'calendly' || way === 'api') && (
            <TextInput
              label={source === 'calendly' ? m.token : m.apiKey}
              hint={source === 'calcom' ? m.apiKeyHint : isAdmin ? m.tokenHintAdmin : m.tokenHint}
              field="token"
              type="password"
              autoComplete="off"
              maxLength={2000}
              value={token}
              onChange={setToken}
            />
          )}
          {isUploading && (
            <div>
              <p role="status">
                {tell(m.uploading, { name: file?.name ?? '' })} <span className="muted">{m.keepOpen}</span>
              </p>
              <Progress label={tell(m.uploading, { name: file?.name ?? '' })} done={part} total={1} />
            </div>
          )}
          <FormError />
          <div className="actions">
            <SubmitButton busy={start.isPending}>{m.read}</SubmitButton>
            {isUploading && <Button onPress={abort}>{words.cancel}</Button>}
          </div>
        </form>
      </FormErrors>
    </Section>
  )
}

const mistakeIn = ({ size }: File) => (size > MAX_DUMP ? moveInWords.tooLarge : undefined)

interface DumpProps {
  readonly file: File | undefined
  readonly mistake: string | undefined
  readonly disabled: boolean
  readonly onChange: (file: File) => void
}

function DumpField({ file, mistake, disabled, onChange }: DumpProps) {
  const { tag } = useTimes()
  const chooser = useRef<HTMLInputElement>(null)
  const m = moveInWords
  return (
    // biome-ignore lint/a11y/useSemanticElements: one control and what it chose, no fieldset
    <div className="field" role="group" aria-label={m.dump}>
      <span className="label">{m.dump}</span>
      <p className="hint">{tell(m.dumpHint, { command: 'pg_dump --file=calcom.sql calcom' })}</p>
      <div className="actions">
        <input
          ref={chooser}
          type="file"
          hidden
          accept=".sql,.gz,.dump,application/sql,application/gzip"
          aria-label={m.dump}
          disabled={disabled}
          onChange={({ target }) => {
            const [chosen] = target.files ?? []
            if (chosen !== undefined) onChange(chosen)
            // So that the same file can be chosen again once it is corrected.
            target.value = ''
          }}
        />
        <Button onPress={() => chooser.current?.click()}>
          {file === undefined ? m.choose : m.chooseAnother}
        </Button>
        <span role="status">
          {file && tell(m.chosen, { name: file.name, size: writeSize(tag, file.size) })}
        </span>
      </div>
      {mistake && (
        <div role="alert">
          <ErrorLine>{mistake}</ErrorLine>
        </div>
      )}
    </div>
  )
}
