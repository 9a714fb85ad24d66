import '../styles/guest.css'
import { afterFirstPaint } from '../parts/after-first-paint.ts'

afterFirstPaint(async () => {
  const [{ start }, { FormPage }] = await Promise.all([
    import('../parts/start.tsx'),
    import('./form-page.tsx'),
  ])
  await start(FormPage)
})
