// Decides which addresses a browser or the sign-in window may open, from the parsed address, never from its text.

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

function parse(address: string): URL | null {
  // Spaces and control characters are refused: a parser changes them, so the address would differ from the shown one.
  for (const character of address) {
    const code = character.codePointAt(0) ?? 0;
    if (code <= 0x20 || (code >= 0x7f && code <= 0xa0)) return null;
  }
  return URL.parse(address);
}

/**
 * Returns the normal form of an address that the system's browser may open, otherwise null. Allowed: https, and http on this
 * machine. Not allowed: any other scheme (some start programs), names or passwords in the address (they disguise the host), an
 * empty host, and more than 4096 characters.
 */
export function externalAddress(address: string): string | null {
  if (address.length > 4096) return null;
  const url = parse(address);
  if (url === null || url.host === '' || url.username !== '' || url.password !== '') return null;
  if (url.protocol === 'https:') return url.href;
  return url.protocol === 'http:' && LOOPBACK_HOSTS.has(url.hostname) ? url.href : null;
}

/** Returns true for pages that a sign-in may visit: web pages only. */
export function isWebPage(address: string): boolean {
  const url = parse(address);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
}

/** Returns the origin for display, such as `https://media.example.org`; international names as punycode. */
export function readableOrigin(address: string): string {
  const url = parse(address);
  return url !== null && url.origin !== 'null' ? url.origin : '';
}
