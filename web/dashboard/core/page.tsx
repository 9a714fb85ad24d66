import { type ReactNode, useEffect, useRef } from 'react'
import { ApiFailure } from '../../parts/api.ts'
import { BackIcon } from '../../parts/icons.tsx'
import { words } from '../words.ts'
import { Action } from './controls.tsx'
import { type Asked, sentenceOf } from './data.ts'
import { Link } from './router.tsx'

let arrived = false

interface PageProps {
  readonly title: string
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  readonly back?: { readonly to: string; readonly label: string }
  readonly wide?: boolean
  readonly children: ReactNode
}

/** A page of the desk. Its heading takes the focus when one comes from another page. */
export function Page({ title, lead, actions, back, wide = false, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Punctual`
  }, [title])
  useEffect(() => {
    if (arrived) heading.current?.focus({ preventScroll: true })
    arrived = true
  }, [])
  return (
    <div className={wide ? 'content content-wide' : 'content'}>
      {back && (
        <Link className="text-button mb-2" to={back.to}>
          <BackIcon size={16} />
          {back.label}
        </Link>
      )}
      <div className="content-head">
        <div className="min-w-0">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p className="lead">{lead}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      {children}
    </div>
  )
}

interface SectionProps {
  readonly title: string
  readonly hint?: ReactNode
  readonly children: ReactNode
  readonly actions?: ReactNode
  readonly id?: string
}

export function Section({ title, hint, children, actions, id }: SectionProps) {
  return (
    <section className="panel section" id={id} aria-label={title}>
      <div className="section-head">
        <div>
          <h2>{title}</h2>
          {hint && <p className="hint">{hint}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  )
}

/** Nothing is there yet: what this is for, and how to begin. */
export function Empty(props: {
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}) {
  return (
    <div className="nothing">
      <p className="nothing-title">{props.title}</p>
      {props.children && <p className="m-0">{props.children}</p>}
      {props.action && <div className="mt-4">{props.action}</div>}
    </div>
  )
}

const ROWS = ['a', 'b', 'c', 'd', 'e']

export function RowsSkeleton({ rows = 4 }: { readonly rows?: number }) {
  return (
    <div className="panel rows" aria-busy="true">
      <p className="sr-only">{words.loading}</p>
      {ROWS.slice(0, rows).map((key) => (
        <div key={key} className="row">
          <span className="bar bar-wide" />
          <span className="bar" />
        </div>
      ))}
    </div>
  )
}

interface LoadedProps<T> {
  readonly query: Asked<T>
  readonly children: (data: T) => ReactNode
  readonly skeleton?: ReactNode
}

/** What was asked for; until it is there, its boxes; or why it is not. */
export function Loaded<T>({ query, children, skeleton = <RowsSkeleton /> }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data)
  if (!query.isError) return skeleton
  const missing = query.error instanceof ApiFailure && query.error.status === 404
  return (
    <div className="nothing" role="alert">
      <p className="nothing-title">{missing ? words.missing : words.notLoaded}</p>
      <p className="m-0">{missing ? words.missingHint : sentenceOf(query.error)}</p>
      {!missing && (
        <div className="mt-4">
          <Action onPress={() => void query.refetch()}>{words.tryAgain}</Action>
        </div>
      )}
    </div>
  )
}

/** Someone else has changed it since it was loaded. */
export function Conflict({ onReload }: { readonly onReload: () => void }) {
  return (
    <div className="alert flex flex-wrap items-center gap-3" role="alert">
      <span className="flex-1 basis-64">{words.conflict}</span>
      <Action small onPress={onReload}>
        {words.reload}
      </Action>
    </div>
  )
}
