/**
 * Parses an address; null: it is none. For text that a person or a library wrote: after some thousand calls, `URL.canParse` of Node 20
 * and 22 refuses every text with letters such as `ü`.
 */
export function parseUrl(text: string, base?: URL): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
