import type { MouseEvent, ReactNode } from 'react'

interface Props {
  /** The id of the section's element. */
  readonly id: string
  readonly children: ReactNode
  readonly className?: string
}

/** Goes to a section and moves the focus there, without an entry in the history: Back leaves the page. */
export function SectionAnchor({ id, children, className }: Props) {
  const jump = (event: MouseEvent) => {
    const section = document.getElementById(id)
    // The browser opens other tabs and windows.
    if (section === null || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    section.scrollIntoView()
    section.focus({ preventScroll: true })
  }
  return (
    <a className={className} href={`#${id}`} onClick={jump}>
      {children}
    </a>
  )
}
