import '../styles/guest.css'
import { start } from '../parts/start.tsx'
import { EndedLinkPage } from './ended-link-page.tsx'

void start(EndedLinkPage)
