import '../styles/guest.css'
import { afterFirstPaint } from '../parts/after-first-paint.ts'

afterFirstPaint(async () => {
  const [{ start }, { BookingPage }] = await Promise.all([
    import('../parts/start.tsx'),
    import('./booking-page.tsx'),
  ])
  await start(BookingPage)
})
