export function ensurePackages(root: string, log: (line: string) => void): Promise<void>
export function findNode(root: string): string
export function isNewEnough(version: string): boolean
export function matchesLock(root: string): boolean
