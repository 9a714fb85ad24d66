import '../styles/guest.css'
import { start } from '../parts/start.tsx'
import { ProfilePage } from './profile-page.tsx'

void start(ProfilePage)
