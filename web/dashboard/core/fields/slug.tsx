import { useState } from 'react'
import { words } from '../../words.ts'
import { usePublicUrl } from '../share/public-url.ts'
import { TextInput } from './fields.tsx'

/** A slug made from this name; empty when none of its characters can be part of one. */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)
}

/** A name, and a slug that follows it until the host types another. */
export function useNameAndSlug() {
  const [name, setName] = useState('')
  const [typed, setSlug] = useState<string>()
  return { name, setName, slug: typed ?? slugOf(name), setSlug }
}

interface Props {
  readonly label?: string
  readonly hint?: string | undefined
  readonly field?: string
  /** What stands before the slug, such as `ada/` for an event type of Ada. */
  readonly within?: string
  readonly value: string
  readonly onChange: (slug: string) => void
}

/** The last part of a link, after what it begins with. */
export function SlugInput(props: Props) {
  const { label = words.bookingLink, hint, field = 'slug', within = '', value, onChange } = props
  const publicUrl = usePublicUrl()
  return (
    <TextInput
      label={label}
      hint={hint}
      field={field}
      prefix={`${publicUrl.replace(/^https?:\/\//, '')}/${within}`}
      maxLength={64}
      value={value}
      onChange={onChange}
    />
  )
}
