import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import { Section } from '../core/page.tsx'
import { words } from '../words.ts'

interface Series {
  readonly name: string
  readonly values: readonly number[]
  /** Less important: drawn in grey. */
  readonly second?: boolean
}

interface Props {
  readonly title: string
  readonly kind: 'line' | 'bars'
  /** What each point is, in full, and as the axis has room for it. */
  readonly labels: readonly string[]
  readonly axis: readonly string[]
  /** What the points are. */
  readonly first: string
  readonly series: readonly Series[]
}

const HEIGHT = 240

/** Colours as the page has them now. A canvas knows no variables, and light or dark is decided by the browser. */
function coloursOf(element: HTMLElement) {
  const probe = document.createElement('span')
  element.append(probe)
  const read = (value: string) => {
    probe.style.color = value
    return getComputedStyle(probe).color
  }
  const colours = {
    accent: read('var(--accent-text)'),
    tint: read('var(--accent-tint)'),
    muted: read('var(--muted)'),
    line: read('var(--line)'),
  }
  probe.remove()
  return colours
}

function useDark(): boolean {
  const [dark, setDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches)
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)')
    const follow = () => setDark(query.matches)
    query.addEventListener('change', follow)
    return () => query.removeEventListener('change', follow)
  }, [])
  return dark
}

/** A picture for those who see it, and the same numbers as a table for everyone. */
export function Plot({ title, kind, labels, axis, first, series }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const dark = useDark()
  const [shown, setShown] = useState<number | null>(null)
  const key = JSON.stringify([axis, series])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the numbers, the theme for the colours
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const { accent, tint, muted, line } = coloursOf(element)
    const font = `12px ${getComputedStyle(element).fontFamily}`
    const xs = axis.map((_, index) => index)
    const plot = new uPlot(
      {
        width: Math.max(240, element.clientWidth),
        height: HEIGHT,
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false } },
        hooks: { setCursor: [({ cursor }) => setShown(cursor.idx ?? null)] },
        scales: {
          x: { time: false, range: kind === 'bars' ? [-0.6, axis.length - 0.4] : [0, axis.length - 1] },
          // Counts are whole: a scale up to less than four would have fractions.
          y: { range: (_plot, _least, most) => [0, Math.max(4, Math.ceil((most ?? 0) * 1.1))] },
        },
        axes: [
          {
            stroke: muted,
            font,
            grid: { show: false },
            ticks: { show: false },
            space: 56,
            incrs: [1, 2, 3, 6, 7, 14, 30, 60],
            values: (_plot, splits) => splits.map((at) => axis[at] ?? ''),
          },
          {
            stroke: muted,
            font,
            grid: { stroke: line, width: 1 },
            ticks: { show: false },
            incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000],
            size: 44,
          },
        ],
        series: [
          {},
          ...series.map(({ name, second }) => ({
            label: name,
            stroke: second ? muted : accent,
            width: second ? 1.5 : 2,
            points: { show: false },
            ...(second && { dash: [4, 4] }),
            ...(!second && { fill: tint }),
            ...(kind === 'bars' && {
              paths: uPlot.paths.bars?.({ size: [0.7, 48], radius: 0.25 }),
              fill: accent,
            }),
          })),
        ] as uPlot.Series[],
      },
      // A bar of nothing would still be a line.
      [
        xs,
        ...series.map(({ values }) => values.map((value) => (kind === 'bars' && value === 0 ? null : value))),
      ],
      element,
    )
    const resize = new ResizeObserver(() =>
      plot.setSize({ width: Math.max(240, element.clientWidth), height: HEIGHT }),
    )
    resize.observe(element)
    return () => {
      resize.disconnect()
      plot.destroy()
    }
  }, [key, kind, dark])

  return (
    <Section title={title}>
      <div>
        <p className="plot-said" aria-hidden="true">
          {shown === null
            ? series.length > 1 &&
              series.map(({ name, second }) => (
                <span key={name} data-second={second || undefined}>
                  {name}
                </span>
              ))
            : `${labels[shown]}: ${series.map(({ name, values }) => (series.length > 1 ? `${values[shown]} ${name}` : values[shown])).join(', ')}`}
        </p>
        <div ref={box} className="plot" aria-hidden="true" />
      </div>
      <details>
        <summary className="text-button">{words.insights.asTable}</summary>
        <table className="table mt-2">
          <caption className="sr-only">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{first}</th>
              {series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {labels.map((label, index) => (
              <tr key={label}>
                <td>{label}</td>
                {series.map(({ name, values }) => (
                  <td key={name}>{values[index]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </Section>
  )
}
