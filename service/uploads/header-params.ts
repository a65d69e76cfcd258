/** A header value such as `form-data; name="a"; filename="b"`. */
export interface ParameterisedValue {
  /** In lower case. */
  value: string;
  /** By name in lower case; of several with one name the first counts. */
  params: ReadonlyMap<string, string>;
}

/**
 * Reads a value with parameters, plain or quoted. Within quotes a backslash stands for the character behind it only when
 * that is a quote or a backslash: clients write the paths of Windows without escaping them. Each character is looked at
 * once.
 */
export function parseParams(text: string): ParameterisedValue {
  const params = new Map<string, string>();
  const first = text.indexOf(';');
  let at = first < 0 ? text.length : first + 1;
  while (at < text.length) {
    const { key, value, end } = readParam(text, at);
    if (key !== '' && !params.has(key)) params.set(key, value);
    at = end;
  }
  return {
    value: text
      .slice(0, first < 0 ? text.length : first)
      .trim()
      .toLowerCase(),
    params,
  };
}

/** Reads up to the next semicolon outside of quotes; `end` is behind it. */
function readParam(text: string, start: number): { key: string; value: string; end: number } {
  let key: string | undefined;
  let value = '';
  let isQuoted = false;
  let wasQuoted = false;
  let at = start;
  for (; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (isQuoted && isEscape(text, at)) {
      value += text.charAt(at + 1);
      at += 1;
    } else if (char === '"') {
      isQuoted = !isQuoted;
      // Blanks around the quotes are no part of the value.
      if (isQuoted) value = '';
      wasQuoted = true;
    } else if (isQuoted) {
      value += char;
    } else if (char === ';') {
      break;
    } else if (char === '=' && key === undefined) {
      key = value;
      value = '';
    } else if (!wasQuoted) {
      value += char;
    }
  }
  return { key: (key ?? '').trim().toLowerCase(), value: wasQuoted ? value : value.trim(), end: at + 1 };
}

/** Whether a backslash stands here for the character behind it. */
function isEscape(text: string, at: number): boolean {
  return text.startsWith('\\"', at) || text.startsWith('\\\\', at);
}

/** The value of `name*=UTF-8''…` (RFC 5987); undefined when it is in another character set or not well-formed. */
export function decodeExtended(text: string): string | undefined {
  const match = /^utf-8'[^']*'(.*)$/i.exec(text);
  if (!match) return undefined;
  try {
    return decodeURIComponent(match[1] ?? '');
  } catch {
    return undefined;
  }
}
