/** A live region for screen readers. It is always rendered, because one that appears with its text is not read out. */
export function Live({ children }: { readonly children: string }) {
  return (
    <p role="status" className="sr-only">
      {children}
    </p>
  )
}
