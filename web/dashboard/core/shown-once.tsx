import { words } from '../words.ts'
import { Button, CopyButton } from './buttons.tsx'

/** A secret that can't be looked up again. */
export function ShownOnce({ secret, onDone }: { readonly secret: string; readonly onDone: () => void }) {
  return (
    <>
      <p className="muted">{words.shownOnce}</p>
      <pre className="code" data-secret>
        {secret}
      </pre>
      <div className="actions actions-end">
        <CopyButton text={secret} small={false}>
          {words.copy}
        </CopyButton>
        <Button kind="primary" onPress={onDone}>
          {words.savedIt}
        </Button>
      </div>
    </>
  )
}
