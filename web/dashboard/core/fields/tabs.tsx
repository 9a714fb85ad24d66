import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { words } from '../../words.ts'
import { TabContext, useFormError } from './form-errors.tsx'

interface Tab {
  readonly id: string
  readonly label: string
  readonly content?: ReactNode
  /** Content that is not needed before the tab is opened for the first time. */
  readonly whenShown?: ReactNode
}

interface Props {
  readonly label: string
  readonly tabs: readonly Tab[]
  /** The tabs with something that is still missing. */
  readonly incomplete: ReadonlySet<string>
  /** Shown above the tabs; may lead to a field of any of them. */
  readonly above: (goTo: (tab: string, field: string) => void) => ReactNode
}

const KEYS: Readonly<Record<string, (index: number, last: number) => number>> = {
  ArrowLeft: (index, last) => (index === 0 ? last : index - 1),
  ArrowRight: (index, last) => (index === last ? 0 : index + 1),
  Home: () => 0,
  End: (_, last) => last,
}

const CONTROLS = 'input, select, textarea, button'

/**
 * The parts of a long form, one of them in sight. All stay on the page, so that nothing typed is lost and an error finds
 * its control; a new error opens its tab. Inside `FormErrors`.
 */
export function Tabs({ label, tabs, incomplete, above }: Props) {
  const failed = useFormError()
  const [current, setCurrent] = useState(() => location.hash.slice(1))
  const [seen, setSeen] = useState(failed)
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const list = useRef<HTMLDivElement>(null)
  const shown = tabs.some(({ id }) => id === current) ? current : (tabs[0]?.id ?? '')
  if (!opened.has(shown)) setOpened(new Set([...opened, shown]))
  // While rendering: the control takes the focus afterwards, and cannot while it is hidden.
  if (failed !== seen) {
    setSeen(failed)
    if (failed?.tab !== undefined) setCurrent(failed.tab)
  }

  useEffect(() => {
    // Scrolls the bar alone: scrollIntoView would move the page, too.
    const tab = list.current?.querySelector<HTMLElement>(`[aria-controls="${shown}-panel"]`)
    if (tab && list.current) list.current.scrollLeft = tab.offsetLeft - list.current.offsetLeft - 16
  }, [shown])

  const choose = (id: string) => {
    flushSync(() => setCurrent(id))
    // Without an entry in the history: Back leaves the page.
    history.replaceState(history.state, '', `#${id}`)
    const bar = list.current
    if (bar !== null && scrollY > 0 && bar.getBoundingClientRect().top <= 0) {
      bar.parentElement?.scrollIntoView({ block: 'start' })
    }
  }
  const goTo = (tab: string, field: string) => {
    choose(tab)
    const place = document.querySelector(`[data-field="${field}"]`) ?? document.getElementById(tab)
    place?.scrollIntoView({ block: 'center' })
    place?.querySelector<HTMLElement>(CONTROLS)?.focus()
  }
  const press = (event: KeyboardEvent, index: number) => {
    const next = tabs[KEYS[event.key]?.(index, tabs.length - 1) ?? -1]
    if (next === undefined) return
    event.preventDefault()
    choose(next.id)
    document.getElementById(`${next.id}-tab`)?.focus()
  }

  return (
    <>
      {above(goTo)}
      <div className="tabs">
        <div ref={list} role="tablist" aria-label={label}>
          {tabs.map(({ id, label: name }, index) => (
            <button
              key={id}
              id={`${id}-tab`}
              type="button"
              role="tab"
              aria-selected={id === shown}
              aria-controls={`${id}-panel`}
              tabIndex={id === shown ? 0 : -1}
              onClick={() => choose(id)}
              onKeyDown={(event) => press(event, index)}
            >
              {name}
              <TabMark
                mark={id === failed?.tab ? 'mistake' : incomplete.has(id) ? 'incomplete' : undefined}
              />
            </button>
          ))}
        </div>
        {tabs.map(({ id, content, whenShown }) => (
          <TabContext key={id} value={id}>
            <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-tab`} hidden={id !== shown}>
              {content}
              {opened.has(id) && whenShown}
            </div>
          </TabContext>
        ))}
      </div>
    </>
  )
}

function TabMark({ mark }: { readonly mark: 'mistake' | 'incomplete' | undefined }) {
  if (mark === undefined) return null
  return (
    <>
      <span className="tab-mark" data-mark={mark} aria-hidden="true" />
      <span className="sr-only"> ({words.tabMarks[mark]})</span>
    </>
  )
}
