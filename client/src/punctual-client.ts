export type * from './api.ts'
export {
  type CallOptions,
  type ClientOptions,
  createClient,
  type FailureKind,
  type Linked,
  type OwnLink,
  PunctualError,
  readOwnLink,
} from './client.ts'
