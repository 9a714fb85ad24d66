import '../styles/dashboard.css'
import { start } from '../parts/start.tsx'
import { Dashboard } from './dashboard.tsx'

void start(Dashboard)
