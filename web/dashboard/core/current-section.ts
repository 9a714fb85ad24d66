/** Where a section is, in pixels from the top of the window. */
interface SectionBox {
  readonly id: string
  readonly top: number
}

/**
 * The section to mark as current: the one the user jumped to, while its head is in view, or the last that
 * begins in the upper third of the window. Short sections at the end never reach the top, so the jump counts first.
 */
export function currentSection(
  boxes: readonly SectionBox[],
  height: number,
  jumpedTo: string | undefined,
): string | undefined {
  const jumped = boxes.find(({ id }) => id === jumpedTo)
  if (jumped !== undefined && jumped.top >= 0 && jumped.top < height) return jumped.id
  return (boxes.findLast(({ top }) => top < height / 3) ?? boxes[0])?.id
}
