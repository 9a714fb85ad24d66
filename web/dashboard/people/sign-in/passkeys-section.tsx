import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { passkeysWorkAt } from '../../../../src/domain/people/passkey.ts'
import { AddButton, Button } from '../../core/buttons.tsx'
import { call } from '../../core/data/api.ts'
import { useChange, useOne } from '../../core/data/data.ts'
import { signOut } from '../../core/data/session.ts'
import type { PasskeysView, PasskeyView, RecoveryCodesView } from '../../core/data/views.ts'
import { Confirm, CreateSheet } from '../../core/dialogs.tsx'
import { TextInput } from '../../core/fields/fields.tsx'
import { ErrorAlert } from '../../core/fields/form-errors.tsx'
import { Loaded, RowsSkeleton, Section } from '../../core/page.tsx'
import { usePublicUrl } from '../../core/share/public-url.ts'
import { useTimes } from '../../core/time/times.ts'
import { tell, words } from '../../words.ts'
import { Codes, NewPasskey } from './add-passkey.tsx'
import { passkeysWorkHere } from './passkey-browser.ts'

/** The user's passkeys and recovery codes. */
export function PasskeysSection() {
  const publicUrl = usePublicUrl()
  const own = useOne<PasskeysView>('/me/passkeys')
  const p = words.passkeys
  // Browsers make none there, so there is nothing to offer.
  if (!passkeysWorkAt(publicUrl) && own.data?.body.items.length === 0) return null
  return (
    <Section title={p.title} hint={p.lead}>
      <Loaded query={own} skeleton={<RowsSkeleton rows={1} />}>
        {({ body }) => <Passkeys own={body} here={passkeysWorkHere(publicUrl)} publicUrl={publicUrl} />}
      </Loaded>
    </Section>
  )
}

interface PasskeysProps {
  readonly own: PasskeysView
  readonly here: boolean
  readonly publicUrl: string
}

type Asked = { readonly what: 'rename' | 'remove'; readonly passkey: PasskeyView } | 'add' | 'codes'

function Passkeys({ own, here, publicUrl }: PasskeysProps) {
  const [asking, setAsking] = useState<Asked>()
  const p = words.passkeys
  const { items, recoveryCodes, required, signInAgain } = own
  const done = () => setAsking(undefined)
  return (
    <>
      {items.length > 0 && (
        <ul className="rows-inner">
          {items.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              fixed={signInAgain || (required && items.length === 1)}
              onAsk={(what) => setAsking({ what, passkey })}
            />
          ))}
        </ul>
      )}
      {items.length > 0 && (
        <p className="muted">
          {recoveryCodes === 0 ? p.noCodesLeft : tell(p.codesLeft, { count: recoveryCodes })}
        </p>
      )}
      {signInAgain ? (
        <SignInAgain />
      ) : (
        <div className="actions">
          {here && <AddButton onPress={() => setAsking('add')}>{p.add}</AddButton>}
          {items.length > 0 && <Button onPress={() => setAsking('codes')}>{p.replaceCodes}</Button>}
        </div>
      )}
      {!here && <p className="muted">{tell(p.elsewhere, { address: publicUrl })}</p>}
      {asking === 'add' && <NewPasskey first={items.length === 0} onClose={done} />}
      {asking === 'codes' && <ReplaceCodes onClose={done} />}
      {typeof asking === 'object' && asking.what === 'rename' && (
        <Rename passkey={asking.passkey} onClose={done} />
      )}
      {typeof asking === 'object' && asking.what === 'remove' && (
        <Remove passkey={asking.passkey} last={items.length === 1} onClose={done} />
      )}
    </>
  )
}

interface RowProps {
  readonly passkey: PasskeyView
  /** Whether it can't be removed now. */
  readonly fixed: boolean
  readonly onAsk: (what: 'rename' | 'remove') => void
}

function PasskeyRow({ passkey: { name, createdAt, lastUsedAt }, fixed, onAsk }: RowProps) {
  const times = useTimes()
  const p = words.passkeys
  return (
    <li className="row">
      <div className="row-main">
        <p className="row-title">{name}</p>
        <p className="row-sub">
          {tell(p.added, { time: times.moment(createdAt) })} ·{' '}
          {lastUsedAt === null ? p.unused : tell(p.used, { time: times.moment(lastUsedAt) })}
        </p>
      </div>
      <Button small label={tell(p.renameOf, { name })} onPress={() => onAsk('rename')}>
        {p.rename}
      </Button>
      {!fixed && (
        <Button small label={tell(p.removeOf, { name })} onPress={() => onAsk('remove')}>
          {words.remove}
        </Button>
      )}
    </li>
  )
}

/** Signing out leads to the sign-in page, and from there back to the profile. */
function SignInAgain() {
  const leave = useMutation({ mutationFn: () => signOut(false) })
  const p = words.passkeys
  return (
    <>
      <p className="muted">{p.again}</p>
      <ErrorAlert error={leave.error} />
      <div className="actions">
        <Button busy={leave.isPending} onPress={() => leave.mutate()}>
          {p.signInAgain}
        </Button>
      </div>
    </>
  )
}

interface SheetProps {
  readonly passkey: PasskeyView
  readonly onClose: () => void
}

function Rename({ passkey: { id, name: before }, onClose }: SheetProps) {
  const [name, setName] = useState(before)
  const p = words.passkeys
  const rename = useChange(
    () => call(`/me/passkeys/${id}`, { method: 'PATCH', body: { name } }),
    ['/me/passkeys'],
  )
  return (
    <CreateSheet
      title={tell(p.renameOf, { name: before })}
      submit={p.rename}
      busy={rename.isPending}
      error={rename.error}
      onClose={onClose}
      onSubmit={() => rename.mutate(undefined, { onSuccess: onClose })}
    >
      <TextInput
        label={words.name}
        hint={p.nameHint}
        field="name"
        maxLength={100}
        value={name}
        onChange={setName}
      />
    </CreateSheet>
  )
}

function Remove({ passkey: { id, name }, last, onClose }: SheetProps & { readonly last: boolean }) {
  const p = words.passkeys
  const remove = useChange(() => call(`/me/passkeys/${id}`, { method: 'DELETE' }), ['/me/passkeys'])
  return (
    <Confirm
      title={tell(p.removeTitle, { name })}
      confirm={words.remove}
      busy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
    >
      {last ? p.removeLastHint : p.removeHint}
    </Confirm>
  )
}

function ReplaceCodes({ onClose }: Pick<SheetProps, 'onClose'>) {
  const p = words.passkeys
  const replace = useChange(
    () => call<RecoveryCodesView>('/me/recovery-codes', { method: 'POST' }),
    ['/me/passkeys'],
  )
  if (replace.data !== undefined) return <Codes codes={replace.data.body.recoveryCodes} onClose={onClose} />
  return (
    <Confirm
      title={p.replaceTitle}
      confirm={p.replaceCodes}
      danger={false}
      busy={replace.isPending}
      error={replace.error}
      onClose={onClose}
      onConfirm={() => replace.mutate(undefined)}
    >
      {p.replaceHint}
    </Confirm>
  )
}
