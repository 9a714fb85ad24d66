import { plainText } from '../../src/format/text/rich-text.ts'
import type { ProfileData } from '../../src/http/pages/page-data.ts'
import { tellChosen, withCarriedQuery } from '../parts/embedding.ts'
import { Avatar, Frame } from '../parts/frame.tsx'
import { Facts } from '../parts/meeting/facts.tsx'
import { useSpeech } from '../parts/texts.tsx'

export function ProfilePage({ data }: { readonly data: ProfileData }) {
  const { tell } = useSpeech()
  const { host, eventTypes, base } = data
  return (
    <Frame {...data}>
      <main className="profile">
        <header className="profile-head">
          <Avatar host={host} large />
          <h1>{host.name}</h1>
          {host.bio !== '' && <p className="bio">{host.bio}</p>}
        </header>
        {eventTypes.length === 0 ? (
          <div className="empty">
            <strong>{tell('nothingToBook', { name: host.name })}</strong>
            <p>{tell('nothingToBookHint')}</p>
          </div>
        ) : (
          <ul className="event-cards">
            {eventTypes.map((eventType) => (
              <li key={eventType.id}>
                <a
                  className="event-card"
                  href={withCarriedQuery(`${base}/${host.slug}/${eventType.slug}`)}
                  onClick={() => tellChosen(eventType.slug)}
                >
                  <h2>{eventType.name}</h2>
                  {eventType.description !== '' && (
                    <p className="description">{plainText(eventType.description)}</p>
                  )}
                  <Facts eventType={eventType} />
                </a>
              </li>
            ))}
          </ul>
        )}
      </main>
    </Frame>
  )
}
