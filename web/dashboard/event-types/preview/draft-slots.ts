import type { SlotDay } from '../../../../src/http/pages/page-data.ts'
import { ask, eventAddress } from '../../../parts/api.ts'
import { withBase } from '../../core/base.ts'
import { call, withQuery } from '../../core/data/api.ts'
import type { Owner } from '../../core/data/data.ts'
import type { EventTypeView, ExplanationView } from '../../core/data/views.ts'

/** An event type as it is, and as it is being edited. */
export interface Edited {
  readonly saved: EventTypeView
  readonly draft: EventTypeView
  /** Members who may not change it see the same as guests. */
  readonly owner: Owner
}

const settingsOf = ({ id: _, ownerId: __, ...settings }: EventTypeView) => settings

/** The times that guests would be offered; the query is that of a listing. */
export async function listDraftSlots(
  { saved, draft, owner }: Edited,
  query: Readonly<Record<string, string>>,
): Promise<readonly SlotDay[]> {
  if (!owner.manages) {
    const address = eventAddress(withBase(''), owner.slug, saved.slug)
    return (await ask<readonly SlotDay[]>(`${address}/slots?${new URLSearchParams(query)}`)).body
  }
  const path = withQuery(`/event-types/${saved.id}/preview`, query)
  return (await call<readonly SlotDay[]>(path, { method: 'POST', body: settingsOf(draft) })).body
}

/** Why a start would not be offered. */
export async function explainDraftStart(
  { saved, draft, owner }: Edited,
  start: string,
): Promise<ExplanationView> {
  const path = withQuery(`/event-types/${saved.id}/explain`, { start })
  const request = owner.manages ? { method: 'POST' as const, body: settingsOf(draft) } : {}
  return (await call<ExplanationView>(path, request)).body
}
