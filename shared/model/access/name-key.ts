/** Returns what two names of groups or roles have in common when a table takes them for the same name. */
export const nameKey = (name: string): string => name.normalize('NFC').trim();
