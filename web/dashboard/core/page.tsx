import { type ReactNode, useEffect, useRef } from 'react'
import { ApiFailure } from '../../parts/api.ts'
import { BackIcon } from '../../parts/icons.tsx'
import { words } from '../words.ts'
import { Button } from './buttons.tsx'
import type { Loadable } from './data/data.ts'
import { errorText } from './data/errors.ts'
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

/** A page of the dashboard. Its heading takes the focus after a navigation. */
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
        <Link className="text-button back" to={back.to}>
          <BackIcon size={16} />
          {back.label}
        </Link>
      )}
      <div className="content-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p className="lead">{lead}</p>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </div>
      {children}
    </div>
  )
}

interface SectionProps {
  readonly title: string
  /** Where links to it lead. */
  readonly id?: string
  readonly hint?: ReactNode
  readonly children: ReactNode
  readonly actions?: ReactNode
}

export function Section({ title, id, hint, children, actions }: SectionProps) {
  return (
    <section
      className="panel section"
      id={id}
      tabIndex={id === undefined ? undefined : -1}
      aria-label={title}
    >
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

/** A name with its value, in a list of facts. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

interface EmptyStateProps {
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

/** Where nothing is yet: what it is for, and how to start. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="nothing">
      <strong>{title}</strong>
      {children && <p>{children}</p>}
      {action && <div className="nothing-action">{action}</div>}
    </div>
  )
}

const ROWS = ['a', 'b', 'c', 'd', 'e']

export function RowsSkeleton({ rows = 4 }: { readonly rows?: number }) {
  return (
    <div className="panel" aria-busy="true">
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
  readonly query: Loadable<T>
  readonly children: (data: T) => ReactNode
  readonly skeleton?: ReactNode
}

/** What a query returned; its skeleton until then; or why there is nothing. */
export function Loaded<T>({ query, children, skeleton = <RowsSkeleton /> }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data)
  if (!query.isError) return skeleton
  const missing = query.error instanceof ApiFailure && query.error.status === 404
  return (
    <div role="alert">
      <EmptyState
        title={missing ? words.missing : words.notLoaded}
        action={!missing && <Button onPress={() => void query.refetch()}>{words.tryAgain}</Button>}
      >
        {missing ? words.missingHint : errorText(query.error)}
      </EmptyState>
    </div>
  )
}

interface MoreProps {
  readonly list: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    fetchNextPage(): unknown
  }
  readonly label?: string
}

/** Loads the next page of a list. */
export function ShowMore({ list, label = words.more }: MoreProps) {
  if (!list.hasNextPage) return null
  return (
    <div className="show-more">
      <Button busy={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
        {label}
      </Button>
    </div>
  )
}

/** Says that someone else changed the object since it was loaded. */
export function Conflict({ onReload }: { readonly onReload: () => void }) {
  return (
    <div className="alert conflict" role="alert">
      <span>{words.conflict}</span>
      <Button small onPress={onReload}>
        {words.reload}
      </Button>
    </div>
  )
}
