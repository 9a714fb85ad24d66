import { useState } from 'react'
import { words } from '../../words.ts'
import { Button, CopyButton } from '../buttons.tsx'
import { Section } from '../page.tsx'
import { ShareSheet } from './share-sheet.tsx'

interface Props {
  readonly name: string
  /** As the embed script names it, such as ada/forms/contact. */
  readonly path: string
  readonly link: string
  readonly open: string
}

/** A link to share, and the way to the code for other sites. */
export function ShareSection(props: Props) {
  const { link, open } = props
  const [sharing, setSharing] = useState(false)
  return (
    <Section title={words.share.title}>
      <p className="link-box">
        <code>{link}</code>
      </p>
      <div className="actions actions-tight">
        <CopyButton text={link}>{words.copyLink}</CopyButton>
        <Button small onPress={() => setSharing(true)}>
          {words.share.embed}
        </Button>
        <a className="button button-quiet button-small" href={link} target="_blank" rel="noreferrer">
          {open}
        </a>
      </div>
      {sharing && <ShareSheet {...props} onClose={() => setSharing(false)} />}
    </Section>
  )
}
