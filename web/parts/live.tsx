/** Tells a screen reader what the eye sees change. It is always there: one that appears with its text is not read. */
export function Live({ children }: { readonly children: string }) {
  return (
    <p role="status" className="sr-only">
      {children}
    </p>
  )
}
