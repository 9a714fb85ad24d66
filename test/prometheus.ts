/** One line of what `/metrics` answers. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"(?:,|$)/y

/** Reads Prometheus text strictly: anything that is no sample, comment or blank line throws. */
export function readSamples(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    if (line === '' || /^# (?:HELP|TYPE) [a-zA-Z_:]/.test(line)) return []
    const [, name, labels = '', value] = LINE.exec(line) ?? []
    if (name === undefined) throw new Error(`This is no sample: ${line}`)
    return [{ name, labels: readLabels(labels), value: Number(value === '+Inf' ? Infinity : value) }]
  })
}

function readLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {}
  LABEL.lastIndex = 0
  while (LABEL.lastIndex < text.length) {
    const at = LABEL.lastIndex
    const found = LABEL.exec(text)
    if (found === null) throw new Error(`These are no labels from ${at} on: ${text}`)
    labels[found[1] as string] = found[2] as string
  }
  return labels
}

/** The value of the one sample with this name and at least these labels; undefined: none. */
export function findValue(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const fitting = samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  )
  if (fitting.length > 1) throw new Error(`${name} is there ${fitting.length} times`)
  return fitting[0]?.value
}
