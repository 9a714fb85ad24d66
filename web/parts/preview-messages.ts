import type { BookingData, CommonData, SlotDay } from '../../src/http/pages/page-data.ts'

// What the dashboard and the preview in its frame tell each other, over a channel of their own.

/** What the booking page shows besides its host. */
export type PreviewedPage = Omit<BookingData, keyof CommonData | 'page' | 'host'>

export type FromDashboard =
  | { readonly kind: 'show'; readonly page: PreviewedPage }
  | {
      readonly kind: 'answer'
      readonly id: number
      readonly status: number
      readonly body: readonly SlotDay[] | { readonly error: string }
    }

/** Asks for a listing. */
export interface FromPreview {
  readonly id: number
  /** As in the address of the listing. */
  readonly query: Readonly<Record<string, string>>
}
