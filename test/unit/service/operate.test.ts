import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { watchLoopDelay } from '../../../service/operate/checks.ts';
import { exposition } from '../../../service/operate/exposition.ts';
import { readListenAddress, urlOf } from '../../../service/operate/operate-options.ts';
import { openRequestLog, requestLine } from '../../../service/operate/request-log.ts';
import { createRequestMetrics } from '../../../service/operate/request-metrics.ts';
import { beginningOf, type RequestFacts } from '../../../service/site/observer.ts';

const FACTS: RequestFacts = {
  id: 'r1',
  method: 'GET',
  route: '/api2/media/:id',
  path: '/api2/media/7',
  status: 200,
  durationMs: 12.345,
  receivedBytes: 0,
  sentBytes: 900,
  userId: 4,
};

describe('the address of the operations', () => {
  test.each([
    ['9464', 'http://127.0.0.1:9464'],
    [':9464', 'http://127.0.0.1:9464'],
    ['0.0.0.0:9464', 'http://0.0.0.0:9464'],
    ['[::1]:0', 'http://[::1]:0'],
    ['ops.internal:80', 'http://ops.internal:80'],
  ])('%s is %s', (text, url) => {
    const address = readListenAddress(text);
    expect(address && urlOf(address)).toBe(url);
  });

  test.each(['', 'localhost', '127.0.0.1:', '::1:80', '127.0.0.1:70000', 'http://x:80', 'a b:1', '1:2:3'])(
    '%j is none',
    (text) => expect(readListenAddress(text)).toBe(undefined),
  );
});

test('a line of the request log has the template of the route, and nothing that the client wrote in its place', () => {
  expect(requestLine(FACTS, '2026-01-01T00:00:00.000Z')).toEqual({
    time: '2026-01-01T00:00:00.000Z',
    request_id: 'r1',
    method: 'GET',
    route: '/api2/media/:id',
    status: 200,
    ms: 12.3,
    received_bytes: 0,
    sent_bytes: 900,
    user_id: '4',
  });
  const line = requestLine({ ...FACTS, route: null, userId: null, path: beginningOf('/upload/secret') }, '');
  expect(line.route).toBe('/upload…');
  expect(line.user_id).toBe(null);
});

test.each([
  ['/', '/'],
  ['/favicon.ico', '/favicon.ico'],
  ['/wp-login.php?user=secret', '/wp-login.php'],
  ['/cdn/secret/x', '/cdn…'],
  ['//cdn/secret/x', '/…'],
  ['/./cdn/secret', '/.…'],
  ['/CDN/secret', '/CDN…'],
  ['/cdn%2Fsecret', '/cdn…'],
  ['/cdn;secret', '/cdn…'],
  ['/cdn\\secret', '/cdn…'],
  ['http://host/cdn/secret/f', '…'],
  ['?secret', '…'],
  [`/${'x'.repeat(41)}`, `/${'x'.repeat(40)}…`],
  ['', ''],
])('of the unknown address %j a log has %j', (url, expected) => expect(beginningOf(url)).toBe(expected));

test('a request log goes on when its drive works again, and counts the lines that were lost', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'request-log-')), 'later');
  const file = join(folder, 'requests.jsonl');
  const failures: string[] = [];
  let at = 0;
  const log = openRequestLog(
    file,
    (code) => void failures.push(code),
    () => at,
  );
  log.observe(FACTS);
  await expect.poll(() => log.dropped()).toBe(1);
  mkdirSync(folder);
  log.observe(FACTS);
  await expect.poll(() => log.dropped()).toBe(2);
  at = 5000;
  log.observe({ ...FACTS, id: 'later' });
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toContain('"later"');
  await log.close();
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(1);
  expect([failures, log.dropped()]).toEqual([['ENOENT'], 2]);
  rmSync(dirname(folder), { recursive: true });
});

test('values of labels are escaped, so that no value can add a line', () => {
  const text = exposition([
    { name: 'a', help: 'h', type: 'gauge', samples: [{ labels: { x: 'q"\\\nb 1' }, value: 1 }] },
    { name: 'empty', help: 'h', type: 'gauge', samples: [] },
  ]);
  expect(text).toBe('# HELP a h\n# TYPE a gauge\na{x="q\\"\\\\\\nb 1"} 1\n');
});

test('durations are counted in every bucket at or above them, and the last bucket has all', () => {
  const { observe, metrics } = createRequestMetrics();
  for (const durationMs of [5, 6, 700_000]) observe({ ...FACTS, durationMs });
  const text = exposition(metrics());
  const bucket = (le: string) =>
    text.match(`_bucket{method="GET",route="/api2/media/:id",le="${le.replace('+', '\\+')}"} (\\d+)`)?.[1];
  expect([bucket('0.005'), bucket('0.02'), bucket('600'), bucket('+Inf')]).toEqual(['1', '2', '2', '3']);
  expect(text).toContain('_sum{method="GET",route="/api2/media/:id"} 700.011');
});

test('methods and routes that a client invents share one label each', () => {
  const { observe, metrics } = createRequestMetrics();
  for (let index = 0; index < 50; index += 1) {
    observe({ ...FACTS, method: `X${index}`, route: null, path: `/guess/${index}`, status: index % 2 ? 404 : null });
  }
  const [requests] = metrics();
  expect(requests?.samples).toEqual([
    { labels: { method: 'other', route: 'unknown', status: 'closed' }, value: 25 },
    { labels: { method: 'other', route: 'unknown', status: '4xx' }, value: 25 },
  ]);
});

test('a blocked event loop fails the check of its delay', async () => {
  const loop = watchLoopDelay(100);
  const turn = () => new Promise((resolve) => setTimeout(resolve, 25));
  await turn();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  await turn();
  expect(await loop.check()).toMatchObject({ ok: false, limit_ms: 100 });
  loop.stop();
});
