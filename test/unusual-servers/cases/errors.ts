import type { Behavior, World } from '../server/behavior.ts';
import { html, json, type Reply, reply } from '../server/wire.ts';
import { casesOf } from '../suite/case.ts';
import type { Outcome } from '../suite/outcome.ts';
import { API, instead, insteadOfFirst, onFirst, READS } from './parts.ts';

const WRITES = API.filter((route) => !READS.includes(route));
/**
 * One retry for each kind of request, and never a second form. If the backoff grew over all requests of the upload, the upload
 * would take ten minutes.
 */
const CURED = {
  retries: 8,
  forms: 1,
  requests: 150,
  also: ({ tookMs }: Outcome) => (tookMs < 500_000 ? undefined : `It took ${Math.round(tookMs / 1000)} s.`),
};
const ONE_FILE = [{ name: 'Lecture.mp4', bytes: 3_000 }];
const inSeconds = ({ clock }: World, seconds: number) => new Date(clock.now() + seconds * 1000).toUTCString();

/** Returns a behavior that refuses writes for a number of seconds after the first one. */
function closedFor(seconds: number, answer: () => Reply): Behavior {
  return instead(WRITES, (_, { clock, since }) =>
    clock.now() < since('closed') + seconds * 1000 ? answer() : undefined,
  );
}

export const ERRORS = casesOf('errors', (it) => {
  it(
    '500-each-once',
    'answers 500 once to each request',
    insteadOfFirst([...API, 'notify'], () => html(500, 'Internal Server Error')),
    { expect: CURED },
  );
  it(
    '500-after-effect',
    'answers 500 once to each write, after it took effect',
    onFirst([...WRITES, 'notify'], () => json(500, { message: 'Oops.' })),
    { expect: { ...CURED, leftovers: 1 } },
  );
  it(
    '502-reads',
    'answers 502 once to each read',
    insteadOfFirst(READS, () => html(502, 'Bad Gateway')),
    { expect: CURED },
  );
  it(
    '503-writes-html',
    'answers 503 with a page once to each write',
    insteadOfFirst(WRITES, () => html(503, 'Service Unavailable')),
    { expect: CURED },
  );
  it(
    '504-writes',
    'answers 504 once to each write',
    insteadOfFirst(WRITES, () => html(504, 'Gateway Time-out')),
    { expect: CURED },
  );
  it(
    '429-seconds',
    'answers 429 with Retry-After in seconds once to each request',
    insteadOfFirst(API, () => reply(429, '', { 'Retry-After': '2' })),
    { expect: CURED },
  );
  it(
    '429-date',
    'answers 429 with a date as Retry-After once to each request',
    insteadOfFirst(API, (_, world) => reply(429, 'Slow down', { 'Retry-After': inSeconds(world, 2) })),
    { expect: CURED },
  );
  it(
    '429-bare',
    'answers 429 with a problem document once to each write',
    insteadOfFirst(WRITES, () =>
      json(
        429,
        { type: 'about:blank', title: 'Too Many Requests', status: 429 },
        { 'Content-Type': 'application/problem+json' },
      ),
    ),
    { expect: CURED },
  );
  it(
    '503-retry-past',
    'answers 503 with a Retry-After in the past once to each write',
    insteadOfFirst(WRITES, (_, world) => html(503, 'Down', { 'Retry-After': inSeconds(world, -3_600) })),
    { expect: CURED },
  );
  it(
    '503-retry-far',
    'answers 503 with an unreadable Retry-After once to each write',
    insteadOfFirst(WRITES, () => html(503, 'Down', { 'Retry-After': 'tomorrow' })),
    { expect: CURED },
  );
  it(
    'read-only',
    'is read-only for half a minute',
    closedFor(30, () => json(503, { message: 'Writes are disabled.' })),
    { expect: { retries: 0, requests: 120 } },
  );
  it(
    'read-only-long',
    'is read-only for ten minutes',
    closedFor(600, () => json(503, { message: 'Writes are disabled.' })),
    { files: ONE_FILE, speed: 100, expect: { retries: 0, requests: 120 } },
  );
  it(
    '408',
    'answers 408 once to each write and closes the connection',
    insteadOfFirst(WRITES, () => ({ ...reply(408), ending: 'close' })),
    { expect: CURED },
  );
  it(
    '425',
    'answers 425 once to each write',
    insteadOfFirst(WRITES, () => reply(425)),
    { expect: CURED },
  );
  it(
    '520',
    'answers 520, as some gateways do, once to each write',
    insteadOfFirst(WRITES, () => html(520, 'Web server is returning an unknown error')),
    { expect: CURED },
  );
  it(
    '507',
    'answers 507 once to each write',
    insteadOfFirst(WRITES, () => html(507, 'Insufficient Storage')),
    { expect: CURED },
  );
  const refused: [
    id: string,
    name: string,
    answer: Reply,
    code: 'api.forbidden' | 'api.not-found' | 'api.invalid' | 'api.conflict' | 'api.bad-request' | 'api.unexpected',
  ][] = [
    ['403-json', '403 and JSON', json(403, { message: 'You may not add media here.' }), 'api.forbidden'],
    ['403-html', '403 and a page', html(403, 'Forbidden'), 'api.forbidden'],
    ['403-empty', '403 and an empty body', reply(403), 'api.forbidden'],
    ['404-html', '404 and a page', html(404, 'Not Found'), 'api.not-found'],
    ['410', '410', reply(410), 'api.not-found'],
    [
      '422-objects',
      '422 and errors as objects',
      json(422, { message: 'Invalid.', errors: [{ field: 'title', message: 'is taken' }] }),
      'api.invalid',
    ],
    [
      '422-words',
      '422 and errors as texts',
      json(422, { message: 'Invalid.', errors: ['The title is taken.'] }),
      'api.invalid',
    ],
    [
      '422-by-field',
      '422 and errors by field',
      json(422, { message: 'Invalid.', errors: { title: ['is taken'] } }),
      'api.invalid',
    ],
    ['422-nothing', '422 and an empty body', reply(422), 'api.invalid'],
    ['409', '409', json(409, { message: 'There is such an item.' }), 'api.conflict'],
    [
      '400-problem',
      '400 and a problem document',
      json(400, { type: 'x', title: 'Bad', detail: 'No.' }),
      'api.bad-request',
    ],
    ['402', '402', html(402, 'Payment Required'), 'api.unexpected'],
    ['451', '451', html(451, 'Unavailable For Legal Reasons'), 'api.unexpected'],
  ];
  for (const [id, name, answer, fails] of refused) {
    it(
      `item-${id}`,
      `refuses an item with ${name}`,
      instead('create-item', () => answer),
      { files: ONE_FILE, expect: { fails, forms: 0 } },
    );
    it(
      `file-${id}`,
      `refuses a file with ${name}`,
      instead('create-file', () => answer),
      { files: ONE_FILE, expect: { fails, forms: 0 } },
    );
  }
});
