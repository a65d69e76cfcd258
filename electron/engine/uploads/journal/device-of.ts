/** Returns the device of a file, from its identity `dev:ino`; empty when the identity is not known. */
export function deviceOf(identity: string): string {
  const colon = identity.indexOf(':');
  return colon === -1 ? '' : identity.slice(0, colon);
}
