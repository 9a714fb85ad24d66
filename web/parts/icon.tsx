import type { ReactNode } from 'react'

/** A picture of a few strokes, as large and of the colour of the text beside it. */
export function icon(paths: ReactNode) {
  return function Icon({ size = 18 }: { readonly size?: number }) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        {paths}
      </svg>
    )
  }
}
