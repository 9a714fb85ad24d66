import { createContext, use } from 'react'

/** Where guests reach this service: links to share begin with it. */
export const PublicUrl = createContext('')

export const usePublicUrl = () => use(PublicUrl)
