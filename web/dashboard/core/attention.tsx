import { useState } from 'react'
import { WarningIcon } from '../../parts/icons.tsx'
import { tell, words } from '../words.ts'
import { useOne } from './data/data.ts'
import type { AttentionView } from './data/views.ts'
import { Link } from './router.tsx'

/** More of them would hide the page that they are on. */
const SHOWN = 3

/** What does not work until the user mends it, with the way to the mend. Nothing when all is well. */
export function Attention() {
  const items = useOne<AttentionView>('/attention').data?.body.items ?? []
  const [all, setAll] = useState(false)
  const a = words.attention
  if (items.length === 0) return null
  const title = tell(a.title, { count: items.length })
  return (
    <section className="attention" aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {(all ? items : items.slice(0, SHOWN)).map(({ kind, sentence, url }) => (
          <li key={`${kind} ${url} ${sentence}`}>
            <WarningIcon size={18} />
            <p>{sentence}</p>
            <Link
              className="button button-quiet button-small"
              to={url}
              aria-label={`${a.mend[kind]}: ${sentence}`}
            >
              {a.mend[kind]}
            </Link>
          </li>
        ))}
      </ul>
      {items.length > SHOWN && (
        <button type="button" className="text-button" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? a.fewer : a.all}
        </button>
      )}
    </section>
  )
}
