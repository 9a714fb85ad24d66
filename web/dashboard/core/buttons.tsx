import { type ReactNode, useState } from 'react'
import { CheckIcon } from '../../parts/icons.tsx'
import { words } from '../words.ts'
import { PlusIcon } from './icons.tsx'

interface ButtonProps {
  readonly children: ReactNode
  readonly onPress: () => void
  readonly busy?: boolean
  readonly kind?: ButtonKind
  readonly small?: boolean
  readonly label?: string
}

type ButtonKind = 'primary' | 'secondary' | 'danger'

const CLASSES: Readonly<Record<ButtonKind, string>> = {
  primary: 'button',
  secondary: 'button button-quiet',
  danger: 'button button-danger',
}

const Spinner = () => <span className="spinner" aria-hidden="true" />

/** While it is busy, it shows a spinner and ignores further presses. */
export function Button(props: ButtonProps) {
  const { children, onPress, busy = false, kind = 'secondary', small = false, label } = props
  return (
    <button
      type="button"
      className={`${CLASSES[kind]}${small ? ' button-small' : ''}`}
      aria-disabled={busy}
      aria-label={label}
      onClick={() => busy || onPress()}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}

interface SubmitProps {
  readonly children: ReactNode
  readonly busy: boolean
  readonly kind?: ButtonKind
}

/** Submits the form around it. */
export function SubmitButton({ children, busy, kind = 'primary' }: SubmitProps) {
  return (
    <button type="submit" className={CLASSES[kind]} aria-disabled={busy}>
      {busy && <Spinner />}
      {children}
    </button>
  )
}

/** Begins something new, at the head of a page. */
export function AddButton(props: Pick<ButtonProps, 'children' | 'onPress' | 'kind' | 'small'>) {
  return (
    <Button {...props}>
      <PlusIcon size={16} />
      {props.children}
    </Button>
  )
}

interface AddItemProps {
  readonly children: ReactNode
  readonly onPress: () => void
  /** What it adds to, for screen readers, where several such buttons are on a page. */
  readonly to?: string
}

/** Adds an item at the end of a list. */
export function AddItem({ children, onPress, to }: AddItemProps) {
  return (
    <div>
      <button type="button" className="text-button" onClick={onPress}>
        <PlusIcon size={16} />
        {children}
        {to !== undefined && <span className="sr-only"> ({to})</span>}
      </button>
    </div>
  )
}

interface IconButtonProps {
  readonly label: string
  readonly onPress: () => void
  readonly disabled?: boolean
  readonly children: ReactNode
}

export function IconButton({ label, onPress, disabled = false, children }: IconButtonProps) {
  return (
    <button type="button" className="round" aria-label={label} disabled={disabled} onClick={onPress}>
      {children}
    </button>
  )
}

interface CopyProps {
  readonly text: string
  readonly children: string
  readonly small?: boolean
}

/** Puts a text on the clipboard. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // Pages without https have no clipboard API.
    const area = document.createElement('textarea')
    area.value = text
    document.body.append(area)
    area.select()
    document.execCommand('copy')
    area.remove()
  }
}

/** Copies a text, and says so. */
export function CopyButton({ text, children, small = true }: CopyProps) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await copyText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 2000)
  }
  return (
    <button
      type="button"
      className={`${CLASSES.secondary}${small ? ' button-small' : ''}`}
      onClick={() => void copy()}
    >
      {copied && <CheckIcon size={16} />}
      <span aria-live="polite">{copied ? words.copied : children}</span>
    </button>
  )
}
