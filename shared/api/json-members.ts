/** One member of a JSON object: its name, and its value as JSON source text. */
export interface JsonMember {
  name: string;
  source: string;
}

/**
 * Returns the members of the object at `path` in a JSON text, in the order of the text, repeated names included. `JSON.parse`
 * moves names that look like integers to the front and keeps only the last of a repeated name.
 *
 * `text` must be valid JSON: the caller has parsed it before. Null when there is no object at `path`. Takes linear time for each
 * step of the path, and does not recurse, so that deep nesting can't exhaust the stack.
 */
export function jsonMembersAt(text: string, path: readonly string[]): JsonMember[] | null {
  let at = skipBlanks(text, 0);
  for (const step of path) {
    // As in JSON.parse, the last of a repeated name counts.
    const found = membersOf(text, at)?.findLast(({ name }) => name === step);
    if (found === undefined) return null;
    at = found.start;
  }
  return membersOf(text, at)?.map(({ name, start, end }) => ({ name, source: text.slice(start, end) })) ?? null;
}

interface Span {
  name: string;
  start: number;
  end: number;
}

function membersOf(text: string, objectAt: number): Span[] | null {
  if (text[objectAt] !== '{') return null;
  const members: Span[] = [];
  let at = skipBlanks(text, objectAt + 1);
  while (text[at] === '"') {
    const nameEnd = endOfString(text, at);
    const name = JSON.parse(text.slice(at, nameEnd)) as string;
    const start = skipBlanks(text, skipBlanks(text, nameEnd) + 1); // Past the colon.
    const end = endOfValue(text, start);
    members.push({ name, start, end });
    at = skipBlanks(text, end);
    if (text[at] === ',') at = skipBlanks(text, at + 1);
  }
  return members;
}

const BLANKS = new Set([' ', '\t', '\n', '\r']);
const SCALAR_ENDS = new Set([',', '}', ']', ...BLANKS]);

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (BLANKS.has(text.charAt(at))) at += 1;
  return at;
}

/** Returns the index after the string that starts at `from`. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** Returns the index after the value that starts at `from`. */
function endOfValue(text: string, from: number): number {
  if (text[from] === '"') return endOfString(text, from);
  let at = from;
  if (text[from] !== '{' && text[from] !== '[') {
    while (at < text.length && !SCALAR_ENDS.has(text.charAt(at))) at += 1;
    return at;
  }
  let depth = 0;
  do {
    const character = text[at];
    if (character === '"') {
      at = endOfString(text, at);
      continue;
    }
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    at += 1;
  } while (depth > 0 && at < text.length);
  return at;
}
