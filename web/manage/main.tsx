import '../styles/guest.css'
import { afterFirstPaint } from '../parts/after-first-paint.ts'

afterFirstPaint(async () => {
  const [{ start }, { ManagePage }] = await Promise.all([
    import('../parts/start.tsx'),
    import('./manage-page.tsx'),
  ])
  await start(ManagePage)
})
