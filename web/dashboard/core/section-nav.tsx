import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { words } from '../words.ts'
import { currentSection } from './current-section.ts'

interface SectionLink {
  /** The id of the section's element. */
  readonly id: string
  readonly label: string
}

/** Links to the sections of a long page: a list beside them, or a bar above them where there is no room. */
export function SectionNav({ sections }: { readonly sections: readonly SectionLink[] }) {
  const [current, setCurrent] = useState(sections[0]?.id)
  const jumpedTo = useRef<string>(undefined)
  const list = useRef<HTMLUListElement>(null)
  const ids = sections.map(({ id }) => id).join(' ')

  useEffect(() => {
    const look = () => {
      const boxes = ids.split(' ').flatMap((id) => {
        const element = document.getElementById(id)
        return element === null ? [] : [{ id, top: element.getBoundingClientRect().top }]
      })
      setCurrent(currentSection(boxes, innerHeight, jumpedTo.current))
    }
    // The browser looked for the fragment before the page was loaded.
    const wanted = location.hash.slice(1)
    if (ids.split(' ').includes(wanted)) {
      jumpedTo.current = wanted
      document.getElementById(wanted)?.scrollIntoView()
    }
    look()
    addEventListener('scroll', look, { passive: true })
    addEventListener('resize', look)
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('resize', look)
    }
  }, [ids])

  useEffect(() => {
    // Scrolls the bar alone: scrollIntoView would move the page, too.
    const link = list.current?.querySelector<HTMLElement>(`[href="#${current}"]`)
    if (link && list.current) list.current.scrollLeft = link.offsetLeft - list.current.offsetLeft - 16
  }, [current])

  return (
    <nav className="section-nav" aria-label={words.sections}>
      <ul ref={list}>
        {sections.map(({ id, label }) => (
          <li key={id}>
            <SectionAnchor
              id={id}
              current={current === id}
              onJump={() => {
                jumpedTo.current = id
                setCurrent(id)
              }}
            >
              {label}
            </SectionAnchor>
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface AnchorProps {
  readonly id: string
  readonly children: ReactNode
  readonly current?: boolean
  readonly onJump?: () => void
  readonly className?: string
}

/** Goes to a section and moves the focus there, without an entry in the history: Back leaves the page. */
export function SectionAnchor({ id, children, current = false, onJump, className }: AnchorProps) {
  const jump = (event: MouseEvent) => {
    const section = document.getElementById(id)
    // The browser opens other tabs and windows.
    if (section === null || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onJump?.()
    history.replaceState(history.state, '', `#${id}`)
    section.scrollIntoView()
    section.focus({ preventScroll: true })
  }
  return (
    <a className={className} href={`#${id}`} aria-current={current ? 'location' : undefined} onClick={jump}>
      {children}
    </a>
  )
}
