/** Who makes a change: a signed-in user, or the command line. */
export interface Actor {
  readonly userId: string | null
  readonly email: string
  readonly via?: { readonly kind: 'session' | 'token'; readonly id: string; readonly name: string }
}

/** Who changed what, and when. Never holds a secret. */
export interface AuditEntry {
  readonly id: string
  /** The user or team that owns the changed object. */
  readonly schedulerId: string
  readonly actorId: string | null
  /** An email address, or another actor such as `command line`. */
  readonly actor: string
  /** The name of the API token that they used; empty: none. */
  readonly token: string
  readonly action: string
  readonly objectType: string
  readonly objectId: string
  /** Names of the fields that changed. */
  readonly changes: readonly string[]
  readonly createdAt: number
}

/** What was done to what, before it is known who did it and when. */
export type AuditedAct = Omit<AuditEntry, 'id' | 'actor' | 'actorId' | 'token' | 'createdAt'>

/** The entry about something that this actor did. */
export function auditEntryOf(actor: Actor, id: string, now: number, act: AuditedAct): AuditEntry {
  // A token keeps its name here after it was revoked.
  const token = actor.via?.kind === 'token' ? actor.via.name : ''
  return { ...act, id, actorId: actor.userId, actor: actor.email, token, createdAt: now }
}
