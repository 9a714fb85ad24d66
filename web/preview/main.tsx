import '../styles/guest.css'
import { start } from '../parts/start.tsx'
import { PreviewPage } from './preview-page.tsx'

void start(PreviewPage)
