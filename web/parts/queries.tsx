import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ApiFailure } from './api.ts'

/**
 * Retries lost connections and server errors, but not refusals.
 *
 * Offline, a request fails at once. React Query would hold it back and send it later, when the person may
 * have changed their mind.
 */
export function Queries({ children }: { readonly children: ReactNode }) {
  const [client] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          mutations: { networkMode: 'always' },
          queries: {
            networkMode: 'always',
            refetchOnReconnect: true,
            retry: (failures, error) =>
              failures < 2 && (!(error instanceof ApiFailure) || error.status === 0 || error.status >= 500),
          },
        },
      }),
  )
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}
