import { sentence } from '../sentence.ts'

// What is said of things of several kinds.

export const OWNER_STAYS = sentence`The person or team that it belongs to does not come along.`
export const EVENT_TYPE_STAYS = sentence`The event type that it belongs to does not come along.`
export const UNREADABLE_PARTS = sentence`Parts of it can’t be read, so they are as if they were empty.`
export const SWITCHED_OFF = sentence`It is switched off there.`
