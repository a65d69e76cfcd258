/**
 * Reads names that a separator divides, without blanks around them and without empty ones. A name in double quotes may contain the
 * separator; two double quotes in it mean one. Quotes inside of a name that does not begin with one stand for themselves.
 * Returns null when a quote is not closed, or when something follows it. `separator`: one character. Takes linear time.
 */
export function readNameList(list: string, separator: ',' | ';'): string[] | null {
  const names: string[] = [];
  for (let at = 0; at < list.length; ) {
    const entry = readEntry(list, afterBlanks(list, at), separator);
    if (entry === null) return null;
    if (entry.name !== '') names.push(entry.name);
    at = entry.end + 1;
  }
  return names;
}

/** Returns names as a list that `readNameList` reads: those that need it are quoted. */
export function nameListText(names: readonly string[], separator: ',' | ';'): string {
  return names
    .map((name) => (name.includes(separator) || name.startsWith('"') ? `"${name.replaceAll('"', '""')}"` : name))
    .join(`${separator} `);
}

interface Entry {
  name: string;
  /** The index of the separator after it, or of the end of the list. */
  end: number;
}

function readEntry(list: string, start: number, separator: string): Entry | null {
  if (list[start] === '"') {
    const quoted = readQuoted(list, start);
    const end = quoted === null ? 0 : afterBlanks(list, quoted.end);
    return quoted === null || (end < list.length && list[end] !== separator) ? null : { name: quoted.name.trim(), end };
  }
  const found = list.indexOf(separator, start);
  const end = found < 0 ? list.length : found;
  return { name: list.slice(start, end).trim(), end };
}

/** Reads a name between double quotes that begins at an index. Returns null when it does not end. */
function readQuoted(list: string, start: number): Entry | null {
  const parts: string[] = [];
  let from = start + 1;
  for (;;) {
    const quote = list.indexOf('"', from);
    if (quote < 0) return null;
    parts.push(list.slice(from, quote));
    if (list[quote + 1] !== '"') return { name: parts.join('"'), end: quote + 1 };
    from = quote + 2;
  }
}

function afterBlanks(list: string, start: number): number {
  let at = start;
  while (at < list.length && list[at]?.trim() === '') at += 1;
  return at;
}
