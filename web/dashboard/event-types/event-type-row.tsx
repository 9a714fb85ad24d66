import { useState } from 'react'
import { Menu, Button as MenuButton, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { offeredDurations } from '../../../src/domain/event-types/durations.ts'
import { formatPrices } from '../../../src/domain/payments/price.ts'
import { writeDuration } from '../../../src/format/duration.ts'
import { useSpeech } from '../../parts/texts.tsx'
import { Button, CopyButton, copyText } from '../core/buttons.tsx'
import { call } from '../core/data/api.ts'
import { type Owner, useChange } from '../core/data/data.ts'
import type { EventTypeView, IssuedLinkView } from '../core/data/views.ts'
import { Confirm } from '../core/dialogs.tsx'
import { ErrorAlert } from '../core/fields/form-errors.tsx'
import { Grip } from '../core/fields/ordered.tsx'
import { DotsIcon, DownIcon, UpIcon } from '../core/icons.tsx'
import { Link, navigate } from '../core/router.tsx'
import { usePublicUrl } from '../core/share/public-url.ts'
import type { RowPlace } from '../core/windowed.tsx'
import { tell, words } from '../words.ts'

interface Props {
  readonly eventType: EventTypeView
  readonly owner: Owner
  readonly place: RowPlace
  /** How many there are. */
  readonly count: number
  /** Left out where the order can't be changed. */
  readonly onMove?: (to: number) => void
}

/** An event type in the list. */
export function EventTypeRow({ eventType, owner, place, count, onMove }: Props) {
  const { locale } = useSpeech()
  const publicUrl = usePublicUrl()
  const e = words.eventTypes
  const l = words.privateLinks
  const { id, name, slug, hidden, linkOnly } = eventType
  const path = `/event-types/${id}`
  const link = `${publicUrl}/${owner.slug}/${slug}`
  const [removing, setRemoving] = useState(false)
  const hide = useChange(
    () => call<EventTypeView>(path, { method: 'PATCH', body: { hidden: !hidden } }),
    ['/event-types'],
  )
  const clone = useChange(() => call<EventTypeView>(`${path}/clone`, { method: 'POST' }), ['/event-types'])
  const remove = useChange(() => call(path, { method: 'DELETE' }), ['/event-types'])
  const share = useChange(async () => {
    const made = await call<IssuedLinkView>(`${path}/links`, { method: 'POST', body: { uses: 1 } })
    await copyText(made.body.url)
    return made
  }, [`${path}/links`])
  const actions: Readonly<Record<string, () => void>> = {
    open: () => window.open(link, '_blank', 'noreferrer'),
    share: () => share.mutate(undefined),
    hide: () => hide.mutate(undefined),
    clone: () =>
      clone.mutate(undefined, { onSuccess: ({ body }) => navigate(`/app/event-types/${body.id}`) }),
    delete: () => setRemoving(true),
  }
  const facts = [
    writeDuration(locale.tag, eventType.durationMinutes),
    eventType.price && formatPrices(eventType.price, offeredDurations(eventType), locale.tag),
    words.locations[eventType.location.type],
    eventType.requiresApproval && e.approvalShort,
    eventType.seats > 1 && tell(e.seatsShort, { count: eventType.seats }),
    hidden && e.hiddenShort,
    linkOnly && e.linkOnlyShort,
  ]
  return (
    <li className="row" data-faded={hidden || undefined} {...place.props}>
      {onMove && <OrderHandle name={name} place={place} count={count} onMove={onMove} />}
      <div className="row-main">
        <Link className="row-title" to={`/app/event-types/${id}`}>
          {name}
        </Link>
        <p className="row-sub">{facts.filter(Boolean).join(' · ')}</p>
      </div>
      <div className="row-tools">
        {!linkOnly && <CopyButton text={link}>{words.copyLink}</CopyButton>}
        {linkOnly && owner.manages && (
          <Button small busy={share.isPending} onPress={() => share.mutate(undefined)}>
            {l.copyOneTime}
          </Button>
        )}
        <MenuTrigger>
          <MenuButton className="round" aria-label={tell(words.moreActionsFor, { name })}>
            <DotsIcon />
          </MenuButton>
          <Popover className="popover" placement="bottom end">
            <Menu className="menu" onAction={(key) => actions[String(key)]?.()}>
              {!linkOnly && <MenuItem id="open">{e.open}</MenuItem>}
              {owner.manages ? (
                <>
                  {!linkOnly && <MenuItem id="share">{l.copyOneTime}</MenuItem>}
                  <MenuItem id="hide">{hidden ? e.show : e.hide}</MenuItem>
                  <MenuItem id="clone">{e.clone}</MenuItem>
                  <MenuItem id="delete" className="menu-danger">
                    {words.delete}
                  </MenuItem>
                </>
              ) : null}
            </Menu>
          </Popover>
        </MenuTrigger>
      </div>
      {(hide.isError || clone.isError || share.isError) && (
        <div className="row-note">
          <ErrorAlert error={hide.error ?? clone.error ?? share.error} />
        </div>
      )}
      {share.data && (
        <div className="row-note" role="status">
          <p>{l.copiedOneTime}</p>
          <p className="link-box">
            <code>{share.data.body.url}</code>
          </p>
        </div>
      )}
      {removing && (
        <Confirm
          title={tell(e.deleteTitle, { name })}
          confirm={words.delete}
          busy={remove.isPending}
          error={remove.error}
          onClose={() => {
            remove.reset()
            setRemoving(false)
          }}
          onConfirm={() => remove.mutate(undefined)}
        >
          {e.deleteHint}
        </Confirm>
      )}
    </li>
  )
}

interface HandleProps extends Required<Pick<Props, 'place' | 'count' | 'onMove'>> {
  readonly name: string
}

function OrderHandle({ name, place, count, onMove }: HandleProps) {
  const { index, onDragStart } = place
  return (
    <div className="order-handle">
      <Grip
        label={tell(words.lists.drag, { name })}
        onDragStart={onDragStart}
        onStep={(step) => onMove(index + step)}
      />
      <div className="order">
        <button
          type="button"
          aria-label={tell(words.moveUp, { name })}
          disabled={index === 0}
          onClick={() => onMove(index - 1)}
        >
          <UpIcon size={16} />
        </button>
        <button
          type="button"
          aria-label={tell(words.moveDown, { name })}
          disabled={index === count - 1}
          onClick={() => onMove(index + 1)}
        >
          <DownIcon size={16} />
        </button>
      </div>
    </div>
  )
}
