/** Returns the device of a file, from its identity `dev:ino`; empty when the identity is not known. */
export function deviceOf(identity: string): string {
  const colon = identity.indexOf(':');
  return colon === -1 ? '' : identity.slice(0, colon);
}

/**
 * Returns whether the number of a file distinguishes it on its volume. Some network and FAT drives give the number 0 to all files:
 * there, equal numbers prove nothing. `number`: the number, or `FileFacts.identity` or another text that ends with it.
 */
export function hasFileNumber(number: string): boolean {
  return !/(^|:)0?$/.test(number);
}
