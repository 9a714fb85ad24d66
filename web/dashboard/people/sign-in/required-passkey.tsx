import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { renew, signOut } from '../../core/data/session.ts'
import { usePublicUrl } from '../../core/share/public-url.ts'
import { tell, words } from '../../words.ts'
import { FirstPasskey } from './add-passkey.tsx'
import { passkeysWorkHere } from './passkey-browser.ts'

/** All that someone sees who must add a passkey first. */
export default function RequiredPasskey() {
  const publicUrl = usePublicUrl()
  const leave = useMutation({ mutationFn: () => signOut(false) })
  const p = words.passkeys
  useEffect(() => {
    document.title = `${words.passkeys.add} · Punctual`
  }, [])
  return (
    <main className="card sign-in">
      {passkeysWorkHere(publicUrl) ? (
        // The session learns that it is complete by being renewed.
        <FirstPasskey onDone={() => void renew().catch(() => undefined)} />
      ) : (
        <>
          <h1>{p.add}</h1>
          <p>{tell(p.elsewhere, { address: publicUrl })}</p>
        </>
      )}
      <button type="button" className="text-button" onClick={() => leave.mutate()}>
        {words.nav.signOut}
      </button>
    </main>
  )
}
