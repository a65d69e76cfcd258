/** Returns the entries by their key, in the order in which they were given. */
export function groupedBy<T>(entries: Iterable<T>, keyOf: (entry: T) => string): Map<string, T[]> {
  const by = new Map<string, T[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const known = by.get(key);
    if (known === undefined) by.set(key, [entry]);
    else known.push(entry);
  }
  return by;
}
