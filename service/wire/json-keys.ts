/**
 * Returns whether a key occurs more than once in the outermost object of a JSON text, even when it is escaped (`\u0063ode` is
 * `code`). The text must be valid JSON. Takes linear time.
 */
export function hasRepeatedKey(json: string): boolean {
  const seen = new Set<string>();
  let depth = 0;
  /** The latest string in the outermost object, until another token follows it. */
  let last: string | undefined;
  for (let at = 0; at < json.length; at += 1) {
    const char = json.charAt(at);
    if (char === '"') {
      const end = endOfText(json, at);
      last = depth === 1 ? json.slice(at, end) : undefined;
      at = end - 1;
    } else if (char === ':' && depth === 1 && last !== undefined) {
      const name = JSON.parse(last) as string;
      if (seen.has(name)) return true;
      seen.add(name);
      last = undefined;
    } else if (char === '{' || char === '[') {
      depth += 1;
      last = undefined;
    } else if (char === '}' || char === ']') {
      depth -= 1;
    }
  }
  return false;
}

/** Returns the position after the closing quote of the string that begins at `start`. */
function endOfText(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json.charAt(at) !== '"') at += json.charAt(at) === '\\' ? 2 : 1;
  return at + 1;
}
