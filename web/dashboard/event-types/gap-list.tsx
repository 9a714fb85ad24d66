import { WarningIcon } from '../../parts/icons.tsx'
import { words } from '../words.ts'
import type { Gap } from './gaps.ts'

interface Props {
  readonly gaps: readonly Gap[]
  readonly goTo: (tab: string, field: string) => void
}

/** What is still missing, on top of the editor; each leads to its field. */
export function GapList({ gaps, goTo }: Props) {
  return (
    <div role="status">
      {gaps.length > 0 && (
        <div className="gaps">
          <p className="warning">
            <span className="icon">
              <WarningIcon size={18} />
            </span>
            <strong>{words.gaps.title}</strong>
          </p>
          <ul>
            {gaps.map(({ field, tab, sentence }) => (
              <li key={field}>
                <button type="button" className="text-button" onClick={() => goTo(tab, field)}>
                  {sentence}
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}
