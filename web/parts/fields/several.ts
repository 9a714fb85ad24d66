/** The chosen ones of these options. Pages keep several choices as text, each on its own line. */
export function chosenIn(text: string, options: readonly string[]): string[] {
  const lines = text.split('\n')
  return options.filter((option) => lines.includes(option))
}
