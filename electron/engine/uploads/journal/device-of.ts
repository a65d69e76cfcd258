/** The disk of a file, from its identity `dev:ino`; empty when that is not known. */
export function deviceOf(identity: string): string {
  const colon = identity.indexOf(':');
  return colon === -1 ? '' : identity.slice(0, colon);
}
