import type { ReactNode } from 'react'
import { words } from '../words.ts'
import { CopyButton } from './buttons.tsx'
import { Section } from './page.tsx'

interface Props {
  readonly link: string
  readonly open: string
  /** Further buttons. */
  readonly children?: ReactNode
}

/** A link to share. */
export function ShareSection({ link, open, children }: Props) {
  return (
    <Section title={words.eventTypes.share}>
      <p className="link-box">
        <code>{link}</code>
      </p>
      <div className="actions actions-tight">
        <CopyButton text={link}>{words.copyLink}</CopyButton>
        {children}
        <a className="button button-quiet button-small" href={link} target="_blank" rel="noreferrer">
          {open}
        </a>
      </div>
    </Section>
  )
}
