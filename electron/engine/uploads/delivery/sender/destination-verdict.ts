/**
 * What a destination's answer to a form means:
 * - `received`: it claims to have the file, or names a page to show next. Only the library's own status confirms that.
 * - `moved`: the same form is to be sent to the address in `Location` (307, 308).
 * - `gone`: the destination does not exist any more. `expired`: it exists, but this descriptor is too old for it. Both
 *   mean that a new descriptor can help.
 * - `lost`: the destination closed the connection as idle or incomplete. `busy`: it may take the same form later.
 * - `refused`: it does not accept this file.
 */
export type DestinationVerdict = 'received' | 'moved' | 'gone' | 'expired' | 'lost' | 'busy' | 'refused';

/** The machine-readable parts of an error text, if any. */
export interface StoreError {
  code: string | null;
  message: string;
}

const GONE = new Set([404, 410]);
/** 303 and its older forms name a page to show next; nothing is fetched from there. */
const SHOW_NEXT = new Set([301, 302, 303]);
const BUSY = new Set([408, 425, 429]);
/** 5xx after which the same request would fail again: the method or the protocol version is not supported. */
const UNSUPPORTED = new Set([501, 505]);
/** The status of nginx and Swift for a client whose connection was idle for too long. */
const CLIENT_CLOSED = 499;

/** Codes of S3 stores, sent with 400, for a connection that was idle or ended early. */
const LOST_CODES = new Set(['RequestTimeout', 'IncompleteBody']);
/** Codes for an expired descriptor, in addition to those that contain "expired". */
const EXPIRED_CODES = new Set(['RequestTimeTooSkewed']);
/** Codes without a reason, for which the message decides. */
const UNSPECIFIC_CODES = new Set([
  'accessdenied',
  'access_denied',
  'forbidden',
  'unauthorized',
  'authenticationfailed',
]);

/** The subjects that expire, in messages of stores without codes. */
const SUBJECTS = new Set(
  'form policy signature token ticket url link request upload descriptor credential credentials'.split(' '),
);
/** The maximum number of words between the subject and "expired". */
const SUBJECT_WITHIN = 4;

/**
 * Returns whether a message says that a descriptor has expired: "Form Expired", "the policy has expired", "expired
 * link".
 */
function saysExpired(message: string): boolean {
  const words = message.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.some((word, index) => {
    if (word !== 'expired') return false;
    const near = [...words.slice(Math.max(0, index - SUBJECT_WITHIN), index), words[index + 1] ?? ''];
    return near.some((each) => SUBJECTS.has(each));
  });
}

/** Decides by the status and the store's own code; by text only if the code gives no reason. `text`: the body. */
export function destinationVerdictOf(status: number, text: string): DestinationVerdict {
  if (status >= 200 && status < 300) return 'received';
  if (SHOW_NEXT.has(status)) return 'received';
  if (status === 307 || status === 308) return 'moved';
  if (GONE.has(status)) return 'gone';
  if (status === CLIENT_CLOSED) return 'lost';
  if (BUSY.has(status) || (status >= 500 && !UNSUPPORTED.has(status))) return 'busy';
  const error = readStoreError(text);
  if (status === 400 && LOST_CODES.has(error.code ?? '')) return 'lost';
  return hasExpired(status, error) ? 'expired' : 'refused';
}

function hasExpired(status: number, { code, message }: StoreError): boolean {
  if (status !== 400 && status !== 401 && status !== 403) return false;
  if (code === null) return status !== 400 && saysExpired(message);
  if (/expired/i.test(code) || EXPIRED_CODES.has(code)) return true;
  return UNSPECIFIC_CODES.has(code.toLowerCase()) && saysExpired(message);
}

/** The longest part of a message that is searched. */
const MAX_MESSAGE_CHARS = 1000;

/** Parses the XML of S3 stores and common forms of JSON; any other text is a message without a code. */
export function readStoreError(text: string): StoreError {
  const start = text.trimStart();
  if (start.startsWith('<')) {
    const code = between(start, '<Code>', '</Code>');
    if (code !== null) return storeError(code, between(start, '<Message>', '</Message>') ?? '');
  }
  const json = start.startsWith('{') ? parseObject(start) : null;
  if (json !== null) {
    const inner = isObject(json.error) ? json.error : json;
    const code = inner.code ?? (typeof json.error === 'string' ? json.error : null);
    return storeError(code, inner.message ?? json.message ?? json.error_description ?? inner.detail ?? '');
  }
  return storeError(null, text);
}

function storeError(code: unknown, message: unknown): StoreError {
  const isCode = typeof code === 'string' && /^[\w.:-]{1,80}$/.test(code);
  return {
    code: isCode ? code : null,
    message: (typeof message === 'string' ? message : '').slice(0, MAX_MESSAGE_CHARS),
  };
}

function between(text: string, opening: string, closing: string): string | null {
  const from = text.indexOf(opening);
  if (from < 0) return null;
  const to = text.indexOf(closing, from);
  return to < 0 ? null : text.slice(from + opening.length, to).trim();
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null; // A text that is truncated or not JSON is a message without a code.
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
