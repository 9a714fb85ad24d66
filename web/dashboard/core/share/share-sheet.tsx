import { useState } from 'react'
import { floatingSnippet, inlineSnippet, popupSnippet } from '../../../../src/format/embed-snippets.ts'
import { tell, words } from '../../words.ts'
import { withBase } from '../base.ts'
import { Button, CopyButton } from '../buttons.tsx'
import { Sheet } from '../dialogs.tsx'
import { Segments } from '../fields/fields.tsx'
import { type EmbedForm, EmbedPicture } from './embed-picture.tsx'
import { usePublicUrl } from './public-url.ts'

const SNIPPETS: Readonly<Record<EmbedForm, (service: string, path: string) => string>> = {
  inline: inlineSnippet,
  popup: popupSnippet,
  floating: floatingSnippet,
}
const FORMS = ['inline', 'popup', 'floating'] as const

interface Props {
  readonly name: string
  /** As the embed script names it, such as ada/intro. */
  readonly path: string
  readonly link: string
  /** Says what the link opens. */
  readonly open: string
  readonly onClose: () => void
}

/** The link of a page for guests, and the code that shows the page on another site. */
export function ShareSheet({ name, path, link, open, onClose }: Props) {
  const publicUrl = usePublicUrl()
  const [form, setForm] = useState<EmbedForm>('inline')
  const s = words.share
  const code = SNIPPETS[form](publicUrl, path)
  return (
    <Sheet title={tell(s.of, { name })} wide onClose={onClose}>
      <div className="stack">
        <h3>{s.link}</h3>
        <p className="link-box">
          <code>{link}</code>
        </p>
        <div className="actions actions-tight">
          <CopyButton text={link}>{words.copyLink}</CopyButton>
          <a className="button button-quiet button-small" href={link} target="_blank" rel="noreferrer">
            {open}
          </a>
        </div>
      </div>
      <div className="stack">
        <h3>{s.embedTitle}</h3>
        <Segments
          label={s.embedTitle}
          value={form}
          options={FORMS.map((id) => ({ id, label: s.forms[id] }))}
          onChange={setForm}
        />
        <div className="embed-form">
          <EmbedPicture form={form} />
          <div className="stack">
            <p>{s.formHints[form]}</p>
            <pre className="code">{code}</pre>
          </div>
        </div>
        <p className="hint">{s.embedHint}</p>
        <div className="actions actions-tight">
          <CopyButton text={code}>{s.copyCode}</CopyButton>
          <a
            className="button button-quiet button-small"
            href={withBase(`/docs/embed?link=${path}`)}
            target="_blank"
            rel="noreferrer"
          >
            {s.examples}
          </a>
        </div>
      </div>
      <div className="actions actions-end">
        <Button onPress={onClose}>{words.close}</Button>
      </div>
    </Sheet>
  )
}
