import '../styles/guest.css'
import { afterFirstPaint } from '../parts/after-first-paint.ts'

afterFirstPaint(async () => {
  const [{ start }, { ProfilePage }] = await Promise.all([
    import('../parts/start.tsx'),
    import('./profile-page.tsx'),
  ])
  await start(ProfilePage)
})
