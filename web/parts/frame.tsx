import type { ReactNode } from 'react'
import { initialsOf } from '../../src/format/initials.ts'
import type { CommonData, HostData } from '../../src/http/pages/page-data.ts'

// The same boxes as the server's first paint (src/http/pages/first-paint.ts).

/** The frame around every guest page. */
export function Frame({ base, children }: CommonData & { readonly children: ReactNode }) {
  return (
    <div className="page">
      {children}
      <footer className="foot">
        <a href={`${base}/docs`}>Punctual</a>
      </footer>
    </div>
  )
}

export function Avatar({ host, large = false }: { readonly host: HostData; readonly large?: boolean }) {
  const className = large ? 'avatar avatar-large' : 'avatar'
  const picture = host.avatarUrl || host.branding.logoUrl
  // No alt text: the name is next to the picture.
  if (picture !== '') return <img className={className} src={picture} alt="" />
  return (
    <span className={className} aria-hidden="true">
      {initialsOf(host.name)}
    </span>
  )
}

/** The host's name and picture; `profile` is where it leads, if anywhere. */
export function Host({ host, profile }: { readonly host: HostData; readonly profile?: string }) {
  const content = (
    <>
      <Avatar host={host} />
      <span>{host.name}</span>
    </>
  )
  return <p className="host">{profile === undefined ? content : <a href={profile}>{content}</a>}</p>
}
