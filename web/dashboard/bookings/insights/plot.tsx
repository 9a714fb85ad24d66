import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import { Section } from '../../core/page.tsx'
import { words } from '../../words.ts'

interface Series {
  readonly name: string
  readonly values: readonly number[]
  /** Less important: drawn in grey. */
  readonly secondary?: boolean
}

interface Props {
  readonly title: string
  readonly kind: 'line' | 'bars'
  /** The name of each point, in full and as short as the axis needs it. */
  readonly labels: readonly string[]
  readonly axis: readonly string[]
  /** The heading of the points, in the table. */
  readonly first: string
  readonly series: readonly Series[]
}

const HEIGHT = 240

/** A plot, and its numbers as a table for those who can't see it. */
export function Plot({ title, kind, labels, axis, first, series }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const dark = useDark()
  const [pointed, setPointed] = useState<number | null>(null)
  const numbers = JSON.stringify([axis, series])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `numbers` contains axis and series, `dark` decides the colours
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const width = () => Math.max(240, element.clientWidth)
    const plot = new uPlot(
      { ...optionsOf(element, { kind, axis, series }, setPointed), width: width(), height: HEIGHT },
      dataOf(kind, axis, series),
      element,
    )
    const resize = new ResizeObserver(() => plot.setSize({ width: width(), height: HEIGHT }))
    resize.observe(element)
    return () => {
      resize.disconnect()
      plot.destroy()
    }
  }, [numbers, kind, dark])

  const valueAt = ({ name, values }: Series, index: number) =>
    series.length > 1 ? `${values[index]} ${name}` : values[index]
  return (
    <Section title={title}>
      <div>
        <p className="plot-legend" aria-hidden="true">
          {pointed === null
            ? series.length > 1 &&
              series.map(({ name, secondary }) => (
                <span key={name} data-secondary={secondary || undefined}>
                  {name}
                </span>
              ))
            : `${labels[pointed]}: ${series.map((one) => valueAt(one, pointed)).join(', ')}`}
        </p>
        <div ref={box} className="plot" aria-hidden="true" />
      </div>
      <NumbersTable {...{ title, labels, first, series }} />
    </Section>
  )
}

function NumbersTable({
  title,
  labels,
  first,
  series,
}: Pick<Props, 'title' | 'labels' | 'first' | 'series'>) {
  return (
    <details>
      <summary className="text-button">{words.insights.asTable}</summary>
      <table className="table">
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
  )
}

type Drawn = Pick<Props, 'kind' | 'axis' | 'series'>

function dataOf(kind: Props['kind'], axis: readonly string[], series: readonly Series[]): uPlot.AlignedData {
  // A bar of height 0 would still be drawn as a line.
  const drawn = (value: number) => (kind === 'bars' && value === 0 ? null : value)
  return [axis.map((_, index) => index), ...series.map(({ values }) => values.map(drawn))]
}

function optionsOf(
  element: HTMLElement,
  { kind, axis, series }: Drawn,
  onPoint: (index: number | null) => void,
): Omit<uPlot.Options, 'width' | 'height'> {
  const { accent, tint, muted, line } = coloursOf(element)
  const font = `12px ${getComputedStyle(element).fontFamily}`
  const bars = kind === 'bars' && {
    paths: uPlot.paths.bars?.({ size: [0.7, 48], radius: 0.25 }),
    fill: accent,
  }
  return {
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
    scales: {
      x: { time: false, range: kind === 'bars' ? [-0.6, axis.length - 0.4] : [0, axis.length - 1] },
      // Counts are whole numbers: a scale that ends below four would show fractions.
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
      ...series.map(({ name, secondary }) => ({
        label: name,
        stroke: secondary ? muted : accent,
        width: secondary ? 1.5 : 2,
        points: { show: false },
        ...(secondary ? { dash: [4, 4] } : { fill: tint }),
        ...bars,
      })),
    ] as uPlot.Series[],
  }
}

/** The page's colours now. A canvas knows no variables, and the browser chooses between light and dark. */
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
