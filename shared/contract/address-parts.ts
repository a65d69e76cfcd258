// Addresses below `app://` that name an item or a file by its identifiers, which can contain any character.

const MAX_LENGTH = 1000;

/** Returns a path with one segment for each part. An unpaired surrogate can't be escaped, so U+FFFD replaces it. */
export function escapedPath(prefix: string, parts: readonly string[]): string {
  return `${prefix}${parts.map((part) => encodeURIComponent(`_${part}`.replace(/\p{Surrogate}/gu, '\ufffd'))).join('/')}`;
}

/** Returns the parts of a path of `escapedPath`; null when it has another form or another number of parts. */
export function readParts(prefix: string, pathname: string, count: number): string[] | null {
  if (!pathname.startsWith(prefix) || pathname.length > MAX_LENGTH) return null;
  const parts = pathname.slice(prefix.length).split('/').map(decoded);
  return parts.length === count && parts.every((part) => part !== null) ? parts : null;
}

/**
 * Returns a decoded part; null when it does not begin with `_` or has an invalid escape. `escapedPath` puts `_` before each part,
 * because a URL loses empty parts, `.` and `..`.
 */
function decoded(part: string): string | null {
  try {
    const text = decodeURIComponent(part);
    return text.startsWith('_') ? text.slice(1) : null;
  } catch {
    return null;
  }
}
