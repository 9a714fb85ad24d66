import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { withBase } from '../core/base.ts'
import { Button } from '../core/buttons.tsx'
import { call, withQuery } from '../core/data/api.ts'
import { TextInput } from '../core/fields/fields.tsx'
import { ErrorAlert } from '../core/fields/form-errors.tsx'
import { usePublicUrl } from '../core/share/public-url.ts'
import { tell, words } from '../words.ts'
import { shrinkImage } from './shrink-image.ts'

interface ImageFieldProps {
  readonly label: string
  readonly field: string
  /** What is uploaded: "picture" or "logo". */
  readonly what: string
  readonly value: string
  readonly onChange: (url: string) => void
  readonly teamId?: string | undefined
}

/** The address of an image, which may be uploaded instead. */
export function ImageField({ label, field, what, value, onChange, teamId }: ImageFieldProps) {
  const publicUrl = usePublicUrl()
  const file = useRef<HTMLInputElement>(null)
  const upload = useMutation({
    mutationFn: async (chosen: File) => {
      const body = await shrinkImage(chosen)
      const answer = await call<{ url: string }>(withQuery('/images', { teamId }), { method: 'POST', body })
      return answer.body.url
    },
    onSuccess: onChange,
  })
  const p = words.profile
  // The page's policy allows only our own images.
  const own = value.startsWith(`${publicUrl}/images/`)
  return (
    <div className="image-field">
      <TextInput
        label={label}
        field={field}
        type="url"
        maxLength={2000}
        placeholder="https://"
        value={value}
        onChange={onChange}
      />
      <div className="actions">
        {own && <img className="avatar" src={withBase(value.slice(publicUrl.length))} alt="" />}
        <input
          ref={file}
          type="file"
          hidden
          accept="image/*"
          aria-label={tell(p.upload, { what })}
          onChange={({ target }) => {
            const [chosen] = target.files ?? []
            if (chosen !== undefined) upload.mutate(chosen)
            // So that the same file can be chosen again.
            target.value = ''
          }}
        />
        <Button small busy={upload.isPending} onPress={() => file.current?.click()}>
          {tell(p.upload, { what })}
        </Button>
        {value !== '' && (
          <Button small onPress={() => onChange('')}>
            {tell(p.removeImage, { what })}
          </Button>
        )}
      </div>
      <p className="hint" role="status">
        {upload.data !== undefined && upload.data === value && p.uploaded}
      </p>
      <ErrorAlert error={upload.error} />
    </div>
  )
}
