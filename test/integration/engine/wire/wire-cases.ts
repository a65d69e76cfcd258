// The cases of a broken connection between sender and destination, and how each must end.
import type { Ending, Place, RequestBreak } from '../../../helpers/wire/wire-breaks.ts';

/** Large enough for a go-ahead and for a break at any position. */
export const FILE_BYTES = 3 * 1024 * 1024;
/** `\r\n--BOUNDARY--\r\n` with our boundary of 61 characters. */
const TAIL_BYTES = 69;

export interface WireCase {
  name: string;
  break: RequestBreak;
  /** The first error shown, or a list of possible ones; null when none is shown. */
  shows: string | readonly string[] | null;
  /** The outcome of the upload: complete in the end, or failed with the destination's answer. */
  end: 'complete' | 'failed';
  /** The number of attempts after the first; null: it depends on when the library abandons the file. */
  retries: number | null;
  /** Expected values in the error's details. */
  details?: Record<string, unknown>;
}

const place = {
  start: () => 0,
  firstByte: () => 1,
  fileStart: (all) => all - TAIL_BYTES - FILE_BYTES,
  firstFileByte: (all) => all - TAIL_BYTES - FILE_BYTES + 1,
  half: (all) => Math.floor(all / 2),
  beforeBoundary: (all) => all - TAIL_BYTES - 1,
  boundary: (all) => all - TAIL_BYTES,
  lastByte: (all) => all - 1,
  end: (all) => all,
} as const satisfies Record<string, Place>;

type PlaceName = keyof typeof place;

const LOST = { shows: 'upload.connection-lost', end: 'complete', retries: 1 } as const;
const STALLED = { shows: 'upload.stalled', end: 'complete', retries: 1 } as const;

const cut = (at: PlaceName, how: 'reset' | 'close' | 'half-close'): WireCase => ({
  name: `a cut at ${at}, by ${how}`,
  break: { kind: 'cut', at: place[at], how },
  ...LOST,
});

export const CUTS: readonly WireCase[] = [
  ...(
    [
      'start',
      'firstByte',
      'fileStart',
      'firstFileByte',
      'half',
      'beforeBoundary',
      'boundary',
      'lastByte',
      'end',
    ] as const
  ).flatMap((at) => [cut(at, 'reset'), cut(at, 'close')]),
  ...(['start', 'half', 'lastByte'] as const).map((at) => cut(at, 'half-close')),
];

export const STANDSTILLS: readonly WireCase[] = [
  { name: 'it reads no byte', break: { kind: 'stall', at: place.start }, ...STALLED },
  { name: 'it stops reading at half of the form', break: { kind: 'stall', at: place.half }, ...STALLED },
  { name: 'it does not read the last byte', break: { kind: 'stall', at: place.lastByte }, ...STALLED },
  { name: 'it reads one byte in 250 ms', break: { kind: 'trickle', at: place.start, everyMs: 250 }, ...STALLED },
  {
    name: 'it reads one byte in 250 ms from half of the form',
    break: { kind: 'trickle', at: place.half, everyMs: 250 },
    ...STALLED,
  },
  { name: 'it stores the file and does not answer', break: { kind: 'mute' }, ...STALLED },
];

const words = (status: string, body = 'quota is used up', extra = '') =>
  `HTTP/1.1 ${status}\r\n${extra}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

const answer = (at: Place, bytes: string, ending: Ending): RequestBreak => ({ kind: 'answer', at, bytes, ending });

const refused = (status: string, at: PlaceName, ending: Ending): WireCase => ({
  name: `${status} at ${at} of the form, connection: ${ending}`,
  break: answer(place[at], words(status), ending),
  shows: 'upload.refused',
  end: 'failed',
  retries: 0,
  details: { status: Number(status.slice(0, 3)), answer: 'quota is used up' },
});

/**
 * The library has received no data. When the complete form was sent, only the completion request reveals that, and the file is
 * sent again after the library has abandoned it; otherwise immediately.
 */
const NOTHING_ARRIVED = {
  shows: ['upload.completion-refused', 'upload.not-received'],
  end: 'complete',
  retries: null,
} as const;

/** A service that answers before it has received everything. */
export const EARLY_ANSWERS: readonly WireCase[] = [
  refused('413 Too Large', 'start', 'close'),
  refused('413 Too Large', 'start', 'reset'),
  refused('413 Too Large', 'start', 'half-close'),
  refused('413 Too Large', 'start', 'keep'),
  refused('403 Forbidden', 'start', 'close'),
  refused('413 Too Large', 'half', 'reset'),
  refused('413 Too Large', 'half', 'close'),
  refused('403 Forbidden', 'half', 'reset'),
  refused('403 Forbidden', 'half', 'keep'),
  refused('401 Unauthorized', 'start', 'close'),
  refused('400 Bad Request', 'half', 'half-close'),
  {
    name: '302 to another host at start of the form',
    break: answer(place.start, words('302 Found', 'moved', 'Location: https://elsewhere.example/\r\n'), 'close'),
    shows: 'upload.not-received',
    end: 'complete',
    retries: 1,
    details: { status: 302 },
  },
  {
    name: '200 at start of the form',
    break: answer(place.start, words('200 OK'), 'close'),
    ...NOTHING_ARRIVED,
  },
  {
    name: '200 at half of the form',
    // The answer says that the connection closes: it can't be reused.
    break: answer(place.half, words('200 OK', 'quota is used up', 'Connection: close\r\n'), 'keep'),
    ...NOTHING_ARRIVED,
  },
  {
    name: '404 at start of the form',
    break: answer(place.start, words('404 Not Found'), 'close'),
    shows: 'upload.destination-lost',
    end: 'complete',
    retries: 1,
  },
  {
    name: '410 at half of the form',
    break: answer(place.half, words('410 Gone'), 'reset'),
    shows: 'upload.destination-lost',
    end: 'complete',
    retries: 1,
  },
  {
    name: '500 at half of the form',
    break: answer(place.half, words('500 Oops'), 'reset'),
    shows: 'api.server-error',
    end: 'complete',
    retries: 1,
  },
  {
    name: '503 at start of the form',
    break: answer(place.start, words('503 Busy'), 'close'),
    shows: 'api.server-error',
    end: 'complete',
    retries: 1,
  },
];

/** Another server answers, and the service never receives the form. */
export const WRONG_ANSWERS: readonly WireCase[] = [
  {
    name: 'a network’s log-in page with status 200',
    break: answer(place.end, words('200 OK', '<html>Log in to this network</html>'), 'close'),
    ...NOTHING_ARRIVED,
  },
  {
    name: '204 from a server that does not forward the form',
    break: answer(place.end, 'HTTP/1.1 204 No Content\r\n\r\n', 'close'),
    ...NOTHING_ARRIVED,
  },
  { name: 'control characters', break: answer(place.end, '\u0000\u0001\u0002 what\r\n\r\n', 'close'), ...LOST },
  { name: 'the greeting of SSH', break: answer(place.end, 'SSH-2.0-OpenSSH_9.2\r\n', 'close'), ...LOST },
  { name: 'a close without an answer', break: answer(place.end, '', 'close'), ...LOST },
  { name: 'a reset without an answer', break: answer(place.end, '', 'reset'), ...LOST },
  {
    name: '200 with two different lengths',
    break: answer(place.end, 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 'close'),
    ...LOST,
  },
];

const reply = (change: (reply: Buffer) => Buffer | string, ending: Ending): RequestBreak => ({
  kind: 'reply',
  change: (bytes) => Buffer.from(change(bytes)),
  ending,
});
const FINE = { shows: null, end: 'complete', retries: 0 } as const;

/** The service has stored the file; its reply is damaged or lost. */
export const DAMAGED_REPLIES: readonly WireCase[] = [
  { name: 'the reply is cut in the status line', break: reply((bytes) => bytes.subarray(0, 11), 'close'), ...LOST },
  {
    name: 'the reply is cut after the status line',
    break: reply((bytes) => bytes.subarray(0, bytes.indexOf('\r\n') + 2), 'close'),
    ...LOST,
  },
  {
    name: 'the reply is cut in the headers',
    break: reply((bytes) => bytes.subarray(0, bytes.indexOf('\r\n\r\n') - 5), 'reset'),
    ...LOST,
  },
  {
    name: 'the reply is cut in the body',
    break: reply(() => 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nstored', 'reset'),
    ...FINE,
  },
  {
    name: 'the reply is shorter than its Content-Length',
    break: reply(() => 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nstored', 'close'),
    ...FINE,
  },
  {
    name: 'the reply is longer than its Content-Length',
    break: reply(() => 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nstored and more', 'close'),
    ...FINE,
  },
  { name: 'the reply is sent twice', break: reply((bytes) => Buffer.concat([bytes, bytes]), 'close'), ...FINE },
  {
    name: 'the reply is sent after a 102 Processing',
    break: reply((bytes) => `HTTP/1.1 102 Processing\r\n\r\n${bytes}`, 'close'),
    ...FINE,
  },
  { name: 'the reply is sent after garbage', break: reply((bytes) => `\u0000garbage\r\n${bytes}`, 'close'), ...LOST },
  {
    name: 'the reply is replaced by a 502',
    break: reply(() => words('502 Bad Gateway'), 'close'),
    shows: 'api.server-error',
    end: 'complete',
    retries: 1,
  },
  { name: 'the reply is lost by a reset', break: { kind: 'lose-reply', how: 'reset' }, ...LOST },
  { name: 'the reply is lost by a close', break: { kind: 'lose-reply', how: 'close' }, ...LOST },
  { name: 'the reply is lost by a half-close', break: { kind: 'lose-reply', how: 'half-close' }, ...LOST },
];

export const GO_AHEADS: readonly WireCase[] = [
  { name: 'the go-ahead is never sent', break: { kind: 'go-ahead', how: 'never' }, ...FINE },
  { name: 'the go-ahead is sent twice', break: { kind: 'go-ahead', how: 'twice' }, ...FINE },
  {
    name: 'the go-ahead is sent after 100,000 bytes of the form',
    break: { kind: 'go-ahead', how: { afterBytes: 100_000 } },
    ...FINE,
  },
  {
    name: 'the go-ahead is refused with 417',
    break: answer(place.start, words('417 Expectation Failed'), 'close'),
    ...FINE,
  },
];
