export function stampOf(root: string): string
export function arePagesFresh(root: string): boolean
export function stampPath(root: string): string
