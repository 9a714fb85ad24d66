import { createContext, use } from 'react'

/** What links to share begin with. */
export const PublicUrl = createContext('')

export const usePublicUrl = () => use(PublicUrl)
