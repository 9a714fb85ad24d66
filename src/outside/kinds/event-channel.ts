import type { Access } from '../accounts/provider.ts'

/** What a provider needs to tell us that a calendar has changed. */
interface WantedChannel {
  readonly externalId: string
  readonly channelId: string
  /** Sent back with every notice, so that we know whom it is from. */
  readonly token: string
  /** Where notices go. */
  readonly address: string
  readonly now: number
}

/** A channel as the provider has it. */
export interface ProviderChannel {
  readonly resourceId: string
  readonly expiresAt: number
}

/** A request that a provider sends us. */
interface NoticeRequest {
  readonly headers: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: string
}

/** What a provider says about a channel. */
export interface Notice {
  readonly channelId: string
  readonly token: string
  /**
   * `opened`: nothing has changed yet. `renew`: the channel will end unless it is renewed. `ended`: the channel is gone,
   * and changes may have been missed.
   */
  readonly what: 'opened' | 'changed' | 'renew' | 'ended'
}

/** How one provider tells of changes. */
export interface ChannelProtocol {
  open(apiUrl: string, access: Access, wanted: WantedChannel): Promise<ProviderChannel>
  /** Puts off a channel's end. Undefined: the provider can't, or the channel is gone. */
  extend(
    apiUrl: string,
    access: Access,
    resourceId: string,
    now: number,
  ): Promise<ProviderChannel | undefined>
  /** Ends a channel. It may be gone already. */
  close(
    apiUrl: string,
    access: Access,
    channel: { readonly channelId: string; readonly resourceId: string },
  ): Promise<void>
  /** The notices in a request; throws `invalid` if it can have none. Whether they are genuine is not checked here. */
  receive(request: NoticeRequest): Notice[]
  /** What to answer where a request only asks whether it has reached us; undefined if it has notices. */
  readonly confirm?: (request: NoticeRequest) => string | undefined
}
