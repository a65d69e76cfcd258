import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';

const MIB = 1024 * 1024;
const LONG_WAITS = { header_wait_s: 30, body_wait_s: 60 };
const SHORT_WAITS = { header_wait_s: 0.5, body_wait_s: 0.5 };
let folder: string;
let config: string;
let service: ServiceProcess;
let admin: ServiceClient;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'library-slow-'));
  config = join(folder, 'config.json');
  writeFileSync(config, JSON.stringify(LONG_WAITS));
  service = await startService({ config });
  admin = await clientFor(service);
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Wire {
  socket: Socket;
  /** Everything received until the service closes the connection. */
  closed: Promise<string>;
}

/** Restarts the service with other time limits. */
async function restartWith(waits: typeof LONG_WAITS): Promise<void> {
  writeFileSync(config, JSON.stringify(waits));
  await service.restart();
}

const collectionCount = async () => (await admin.get('/api2/collections')).body.items.length;

function wire(): Wire {
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname);
  const parts: Buffer[] = [];
  const closed = new Promise<string>((resolve) => {
    socket.on('data', (part) => parts.push(part));
    socket.on('error', () => {});
    socket.on('close', () => resolve(Buffer.concat(parts).toString('latin1')));
  });
  return { socket, closed };
}

/** Sends a text a few bytes at a time while the connection is open. */
function drip(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || at >= text.length) return clearInterval(timer);
    socket.write(text.slice(at, at + 2));
    at += 2;
  }, 20);
}

const head = (path: string, lines: string[] = []) =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${admin.tokens.access_token}`,
    ...lines,
    '',
    '',
  ].join('\r\n');

const peakBytes = () => 1024 * Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]);

const LENGTH = 'Content-Length: 4000';
const CHUNKED = 'Transfer-Encoding: chunked';

describe('the connection of a client that never completes a request is closed', () => {
  // While the limits are short, no request is sent that must succeed: on a slow computer it could exceed them.
  let before: number;
  beforeAll(async () => {
    before = await collectionCount();
    await restartWith(SHORT_WAITS);
  });

  test.each<[string, (socket: Socket) => void]>([
    ['when it sends no byte', () => {}],
    [
      'when it sends its headers too slowly',
      (socket) => drip(socket, `GET /api2/media HTTP/1.1\r\nHost: localhost\r\nX: ${'y'.repeat(4000)}`),
    ],
  ])('after the time limit: %s', async (_where, send) => {
    const { socket, closed } = wire();
    send(socket);
    expect(await closed).toMatch(/^$|^HTTP\/1\.1 4\d\d /);
  });

  test.each([
    ['with a length', [LENGTH], (count: number) => ' '.repeat(count)],
    ['in chunks', [CHUNKED], (count: number) => '1\r\n \r\n'.repeat(count)],
  ])('when it sends a JSON body %s too slowly', async (_how, lines, pieces) => {
    for (const path of ['/api2/collections', '/api2/oauth/access_token', '/api2/oauth/login']) {
      const { socket, closed } = wire();
      socket.write(head(path, lines));
      drip(socket, pieces(3000));
      expect(await closed, path).toMatch(/^$|^HTTP\/1\.1 4\d\d /);
    }
  });

  test('and its requests had no effect', async () => {
    await restartWith(LONG_WAITS);
    expect(await collectionCount()).toBe(before);
  });
});

test('other clients are answered while fifty clients send requests slowly', async () => {
  const held = Array.from({ length: 50 }, wire);
  await Promise.all(held.map(({ socket }) => once(socket, 'connect')));
  for (const { socket } of held) drip(socket, `${head('/api2/media', [LENGTH])}{`);
  expect((await admin.get('/api2/media')).status).toBe(200);
  for (const { socket } of held) socket.destroy();
  await Promise.all(held.map(({ closed }) => closed));
  expect((await admin.get('/api2/media')).status).toBe(200);
});

describe('a body in chunks', () => {
  // These bodies are sent as fast as possible: a refusal concerns the body, not a delay.
  /** Sends this number of chunks and the end of the body. */
  function flood(path: string, chunk: string, count: number): Promise<string> {
    const { socket, closed } = wire();
    socket.write(head(path, ['Content-Type: application/json', CHUNKED, 'Connection: close']));
    const block = chunk.repeat(1000);
    let left = count / 1000;
    const go = () => {
      while (left > 0 && !socket.destroyed) {
        left -= 1;
        if (!socket.write(block)) return void socket.once('drain', go);
      }
      socket.end('0\r\n\r\n');
    };
    go();
    return closed;
  }

  test('of one byte each is accepted when it is small', async () => {
    const { socket, closed } = wire();
    const body = JSON.stringify({ title: 'In pieces', collection_id: '1' });
    const chunks = [...body].map((letter) => `1\r\n${letter}\r\n`).join('');
    socket.write(`${head('/api2/media', [CHUNKED, 'Connection: close'])}${chunks}0\r\n\r\n`);
    expect(await closed).toMatch(/^HTTP\/1\.1 201 /);
  });

  test.skipIf(process.platform !== 'linux')(
    'of one byte each is refused when it does not end, and memory does not grow with their number',
    async () => {
      const before = peakBytes();
      for (const path of ['/api2/media', '/api2/oauth/access_token']) {
        const answers = await Promise.all(Array.from({ length: 6 }, () => flood(path, '1\r\n \r\n', 1_000_000)));
        for (const answer of answers) expect(answer).toMatch(/^$|^HTTP\/1\.1 413 /);
      }
      expect(peakBytes() - before).toBeLessThan(200 * MIB);
      expect((await admin.get('/api2/media')).status).toBe(200);
    },
  );

  test.each([
    ['of a kilobyte on each of very many chunks', 1000, 100_000],
    ['of twenty kilobytes', 20_000, 1000],
  ])('with the chunk extensions %s is refused', async (_what, length, count) => {
    const answer = await flood('/api2/media', `1;${'e'.repeat(length)}\r\n \r\n`, count);
    expect(answer).toMatch(/^$|^HTTP\/1\.1 4\d\d /);
    expect((await admin.get('/api2/media')).status).toBe(200);
  });

  test('with a chunk length that is too large or malformed is refused', async () => {
    for (const size of ['ffffffffffffffff', '7fffffffffffffff', '-1', '0x10', '1 0']) {
      const { socket, closed } = wire();
      socket.end(`${head('/api2/media', [CHUNKED])}${size}\r\n{}\r\n0\r\n\r\n`);
      expect(await closed, size).toMatch(/^$|^HTTP\/1\.1 4\d\d /);
    }
  });
});

test('none of these requests logged an internal error or a token', () => {
  expect(service.log()).not.toContain('request failed');
  expect(service.log()).not.toContain(admin.tokens.access_token);
});
