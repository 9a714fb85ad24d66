export type EmbedForm = 'inline' | 'popup' | 'floating'

/** How a site looks with the widget: a sketch, with what is ours in the accent colour. */
export function EmbedPicture({ form }: { readonly form: EmbedForm }) {
  return (
    <svg className="embed-picture" viewBox="0 0 160 108" aria-hidden="true">
      <rect className="picture-page" x="0.5" y="0.5" width="159" height="107" rx="8" />
      <path className="picture-text" d="M14 20h62" />
      {form === 'inline' ? (
        <>
          <path className="picture-text" d="M14 34h132" />
          <Calendar x={14} y={44} />
        </>
      ) : (
        <path className="picture-text" d="M14 34h132M14 46h120M14 58h128M14 88h96" />
      )}
      {form === 'popup' && (
        <>
          <rect className="picture-ours" x="14" y="66" width="44" height="13" rx="4" />
          <rect className="picture-veil" x="0.5" y="0.5" width="159" height="107" rx="8" />
          <Calendar x={32} y={24} tall />
        </>
      )}
      {form === 'floating' && <rect className="picture-ours" x="98" y="86" width="54" height="15" rx="7.5" />}
    </svg>
  )
}

interface CalendarProps {
  readonly x: number
  readonly y: number
  readonly tall?: boolean
}

function Calendar({ x, y, tall = false }: CalendarProps) {
  const days = Array.from({ length: tall ? 15 : 10 }, (_, day) => day)
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect className="picture-card" x="0.5" y="0.5" width={tall ? 96 : 131} height={tall ? 60 : 50} rx="5" />
      {days.map((day) => (
        <circle
          key={day}
          className={day % 4 === 1 ? 'picture-ours' : 'picture-day'}
          cx={14 + (day % 5) * 12}
          cy={14 + Math.floor(day / 5) * 14}
          r="4"
        />
      ))}
      <rect className="picture-ours" x={tall ? 76 : 82} y="10" width={tall ? 14 : 40} height="7" rx="2" />
      <rect className="picture-day" x={tall ? 76 : 82} y="22" width={tall ? 14 : 40} height="7" rx="2" />
    </g>
  )
}
