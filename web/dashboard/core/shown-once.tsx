import { words } from '../words.ts'
import { Action, CopyButton } from './controls.tsx'

/** A secret that nobody can look up again. */
export function ShownOnce({ secret, onDone }: { readonly secret: string; readonly onDone: () => void }) {
  return (
    <>
      <p className="m-0 text-muted">{words.shownOnce}</p>
      <pre className="code" data-secret>
        {secret}
      </pre>
      <div className="flex flex-wrap justify-end gap-3">
        <CopyButton text={secret} small={false}>
          {words.copy}
        </CopyButton>
        <Action kind="main" onPress={onDone}>
          {words.keptIt}
        </Action>
      </div>
    </>
  )
}
