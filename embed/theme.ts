/** Whether the site around an element is light or dark: by its background, or by its text if nothing has one. */
export function themeAround(element: Element): 'light' | 'dark' {
  for (let one: Element | null = element; one !== null; one = one.parentElement) {
    const { lightness, alpha } = read(getComputedStyle(one).backgroundColor)
    if (alpha > 0.5) return lightness < 0.5 ? 'dark' : 'light'
  }
  return read(getComputedStyle(element).color).lightness > 0.5 ? 'dark' : 'light'
}

/** A computed colour, which has the notation that the site used: `rgb(…)`, `oklch(…)`, `color(srgb …)` or `lab(…)`. */
function read(colour: string): { readonly lightness: number; readonly alpha: number } {
  const numbers = colour.replace(/^\w+\((?:[a-z][\w-]* )?/, '').match(/[\d.]+(?:e-\d+)?/g) ?? []
  const [one = 0, two = 0, three = 0, alpha = 1] = numbers.map(Number)
  if (colour.startsWith('ok')) return { lightness: one, alpha }
  if (colour.startsWith('l')) return { lightness: one / 100, alpha }
  const most = colour.startsWith('rgb') ? 255 : 1
  return { lightness: (0.3 * one + 0.59 * two + 0.11 * three) / most, alpha }
}
