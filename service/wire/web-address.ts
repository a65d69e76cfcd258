/**
 * Parses an absolute URL. Returns undefined for any other text, also for one with line breaks, tabs or blanks
 * around it: `new URL` drops them without a notice, so the stored text would differ from the address that is requested.
 */
export function parseAddress(text: string): URL | undefined {
  const isExact = text.trim() === text && !/\p{Cc}/u.test(text);
  return (isExact && URL.parse(text)) || undefined;
}

/** Returns whether a text is an absolute http(s) address. */
export function isWebAddress(text: string): boolean {
  return ['http:', 'https:'].includes(parseAddress(text)?.protocol ?? '');
}

/**
 * Returns whether nobody on the network can read or change what is exchanged with an address: it is https, or http on this
 * computer.
 */
export function isPrivateChannel({ protocol, hostname }: URL): boolean {
  if (protocol === 'https:') return true;
  return protocol === 'http:' && (['localhost', '[::1]'].includes(hostname) || /^127(?:\.\d{1,3}){3}$/.test(hostname));
}
