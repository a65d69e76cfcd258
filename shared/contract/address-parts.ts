// Addresses below `app://` that name an item or a file by its identifiers, which can contain any character.

const MAX_LENGTH = 1000;

/** Returns a path with one segment for each part. Half a surrogate pair can't be escaped, so it is replaced. */
export function pathOf(prefix: string, parts: readonly string[]): string {
  return `${prefix}${parts.map((part) => encodeURIComponent(`_${part}`.replace(/\p{Surrogate}/gu, '\ufffd'))).join('/')}`;
}

/** Returns the parts of a path of `pathOf`; null when it has another form or another number of parts. */
export function readParts(prefix: string, pathname: string, count: number): string[] | null {
  if (!pathname.startsWith(prefix) || pathname.length > MAX_LENGTH) return null;
  const parts = pathname.slice(prefix.length).split('/').map(decoded);
  return parts.length === count && parts.every((part) => part !== null) ? parts : null;
}

/**
 * Returns a decoded part. Each part begins with a mark, because addresses lose empty parts, `.` and `..`. null without the mark,
 * and for broken escapes.
 */
function decoded(part: string): string | null {
  try {
    const text = decodeURIComponent(part);
    return text.startsWith('_') ? text.slice(1) : null;
  } catch {
    return null;
  }
}
