/** Returns a text that this computer stores for the window; null when there is none, or no storage. */
export function storedText(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Returns a stored JSON value; null when there is none, or when it can't be read. */
export function storedJson(name: string): unknown {
  try {
    return JSON.parse(storedText(name) ?? 'null');
  } catch {
    return null;
  }
}
