// What happens to requests when a signal arrives and the service has time to end them.
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { clientFor, type Descriptor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { formParts } from '../../../helpers/service/service-raw.ts';
import { isLongRun } from '../../../helpers/test-extent.ts';

/** Stops of a service with 16 uploads. */
const ROUNDS = isLongRun ? 100 : 5;

const running: ServiceProcess[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function start(drainSeconds: number): Promise<ServiceProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), 'library-drain-'));
  folders.push(dataDir);
  const service = await startService({
    dataDir,
    options: ['--drain-seconds', String(drainSeconds), '--operations', '0', '--reserve-mib', '0'],
  });
  running.push(service);
  return service;
}

interface Ended {
  status: number;
  retryAfter: string | undefined;
  body: string;
  connection: string | undefined;
}

/** An upload that sends its bytes in two parts: the second one when `finish` is called. */
interface HeldUpload {
  /** Resolves with the answer; rejects when the connection is cut. */
  ended: Promise<Ended>;
  /** Resolves when the first part was sent. */
  begun: Promise<void>;
  finish(): void;
}

function holdUpload(upload: Descriptor, bytes: Buffer, agent?: Agent): HeldUpload {
  const { head, tail, contentType, url } = formParts(upload, 'part.bin');
  const half = Math.floor(bytes.length / 2);
  const sent = request(url, {
    method: 'POST',
    headers: { 'content-type': contentType, 'content-length': head.length + bytes.length + tail.length },
    ...(agent === undefined ? {} : { agent }),
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (answer) => {
      let body = '';
      answer.on('data', (part: Buffer) => {
        body += part.toString();
      });
      answer.on('end', () => {
        const { 'retry-after': retryAfter, connection } = answer.headers;
        resolve({ status: answer.statusCode ?? 0, retryAfter, body, connection });
      });
      answer.on('error', reject);
    });
  });
  ended.catch(() => {});
  sent.write(head);
  const begun = new Promise<void>((resolve) => {
    sent.write(bytes.subarray(0, half), () => resolve());
  });
  return { ended, begun, finish: () => void sent.end(Buffer.concat([bytes.subarray(half), tail])) };
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const readyCode = async (service: ServiceProcess) => (await fetch(`${service.operationsUrl}/ready`)).status;
const receiving = (service: ServiceProcess) => readdirSync(join(service.dataDir, 'incoming')).length;
const waits = { timeout: 30_000 };

async function newFile(client: ServiceClient, size: number) {
  const item = await client.createItem('Drained');
  const { body, location } = await client.post(`${item}/files`, { upload_name: 'a.bin', upload_size: size });
  return { upload: body.upload as Descriptor, location };
}

test('after a signal the service is not ready at once, refuses writes with 503, and still ends its upload and reads', async () => {
  const service = await start(60);
  const client = await clientFor(service);
  const bytes = randomBytes(3_000_000);
  const [first, second] = [await newFile(client, bytes.length), await newFile(client, bytes.length)];
  const held = holdUpload(first.upload, bytes);
  await expect.poll(() => receiving(service), waits).toBe(1);
  expect(await readyCode(service)).toBe(200);

  const exit = service.end('SIGTERM');
  await expect.poll(() => readyCode(service), waits).toBe(503);
  for (const [method, path] of [
    ['POST', '/api2/media'],
    ['DELETE', '/api2/media/1'],
    ['POST', '/api2/oauth/access_token'],
  ] as const) {
    const refused = await client.request(method, path, { title: 'Late' });
    expect([refused.status, refused.body]).toEqual([503, { message: expect.any(String) }]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('connection')).toBe('close');
  }
  const late = holdUpload(second.upload, bytes);
  late.finish();
  expect(await late.ended).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) });
  const read = await client.get(first.location);
  expect([read.status, read.body.status, read.headers.get('connection')]).toEqual([200, 'uploading', 'close']);

  held.finish();
  expect((await held.ended).status).toBe(204);
  const { postprocess_url } = first.upload.protocols.form_data;
  expect((await fetch(postprocess_url ?? '', { method: 'POST' })).status).toBe(204);
  expect(await exit).toBe(0);

  await service.restart();
  const id = first.location.split('/').at(-1);
  expect(await service.control('GET', `/files/${id}/sha256`)).toMatchObject({ sha256: sha256(bytes) });
  expect((await client.get(second.location)).body.status).toBe('uploading');
});

test('16 uploads while a signal arrives, again and again: each is complete with its SHA-256 or was refused, and none is cut', {
  timeout: isLongRun ? 1_200_000 : 300_000,
}, async () => {
  const service = await start(120);
  const outcomes = { complete: 0, refused: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const client = await clientFor(service);
    const files = await Promise.all(
      Array.from({ length: 16 }, async (_, index) => {
        const bytes = randomBytes(1_000_000 + index * 100_000);
        return { bytes, ...(await newFile(client, bytes.length)) };
      }),
    );
    // One is under way until all others have ended, so that the service cannot end before.
    const [kept, ...others] = files;
    if (kept === undefined) throw new Error('There are 16.');
    const anchor = holdUpload(kept.upload, kept.bytes);
    await expect.poll(() => receiving(service), waits).toBe(1);
    // Some are under way when the signal arrives, some begin while it arrives, some after it.
    const early = others.slice(0, 3 + (round % 5)).map(({ upload, bytes }) => holdUpload(upload, bytes));
    await expect.poll(() => receiving(service), waits).toBe(1 + early.length);
    const exit = service.end(round % 2 === 0 ? 'SIGTERM' : 'SIGINT');
    const rest = others.slice(early.length).map(({ upload, bytes }) => holdUpload(upload, bytes));
    for (const each of [...rest, ...early]) each.finish();
    const ended = await Promise.all([...early, ...rest].map((each) => each.ended));
    anchor.finish();
    const all = [await anchor.ended, ...ended];
    expect(await exit).toBe(0);
    expect(all.slice(0, 1 + early.length).map(({ status }) => status)).toEqual(Array(1 + early.length).fill(204));

    await service.restart();
    for (const [index, { status }] of all.entries()) {
      const { bytes, location } = files[index] ?? kept;
      const hash = service.control<{ sha256: string }>('GET', `/files/${location.split('/').at(-1)}/sha256`);
      if (status === 204) {
        expect((await hash).sha256).toBe(sha256(bytes));
        outcomes.complete += 1;
      } else {
        expect(status).toBe(503);
        await expect(hash).rejects.toThrow('404');
        outcomes.refused += 1;
      }
    }
    expect(receiving(service)).toBe(0);
  }
  expect(outcomes.complete + outcomes.refused).toBe(16 * ROUNDS);
});

test('an upload that is slower than the limit ends as an interrupted one: its file is still uploading, without bytes', async () => {
  const service = await start(1);
  const client = await clientFor(service);
  const bytes = randomBytes(3_000_000);
  const { upload, location } = await newFile(client, bytes.length);
  const held = holdUpload(upload, bytes);
  await expect.poll(() => receiving(service), waits).toBe(1);
  expect(await service.end('SIGTERM')).toBe(0);
  await expect(held.ended).rejects.toThrow();
  expect(service.log()).toContain('requests under way are cut');
  await service.restart();
  expect(receiving(service)).toBe(0);
  expect((await client.get(location)).body.status).toBe('uploading');
  const again = holdUpload(upload, bytes);
  again.finish();
  expect((await again.ended).status).toBe(204);
});

test('a second signal ends the service while an upload is under way', async () => {
  const service = await start(3600);
  const client = await clientFor(service);
  const bytes = randomBytes(3_000_000);
  const held = holdUpload((await newFile(client, bytes.length)).upload, bytes);
  await expect.poll(() => receiving(service), waits).toBe(1);
  service.signal('SIGTERM');
  await expect.poll(() => readyCode(service), waits).toBe(503);
  expect(await service.end('SIGTERM')).toBe(0);
  await expect(held.ended).rejects.toThrow();
});

test('clients that keep reading do not delay the end, and no read that began before the signal is cut', async () => {
  const service = await start(3600);
  const client = await clientFor(service);
  const item = await client.createItem('Read');
  const bytes = randomBytes(2_000_000);
  const { upload } = await newFile(client, bytes.length);
  const held = holdUpload(upload, bytes);
  await expect.poll(() => receiving(service), waits).toBe(1);
  const statuses: number[] = [];
  const readers = Promise.allSettled(
    Array.from({ length: 8 }, async () => {
      // A refused connection ends the loop: the service has ended.
      for (;;) statuses.push((await client.get(item)).status);
    }),
  );
  const exit = service.end('SIGTERM');
  await expect.poll(() => readyCode(service), waits).toBe(503);
  held.finish();
  expect((await held.ended).status).toBe(204);
  expect(await exit).toBe(0);
  await readers;
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(service.log()).not.toContain('requests under way are cut');
});

test('a keep-alive connection whose request was under way is closed after its answer', async () => {
  const service = await start(60);
  const client = await clientFor(service);
  const bytes = randomBytes(100_000);
  const { upload } = await newFile(client, bytes.length);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const held = holdUpload(upload, bytes, agent);
  await expect.poll(() => receiving(service), waits).toBe(1);
  const exit = service.end('SIGTERM');
  await expect.poll(() => readyCode(service), waits).toBe(503);
  held.finish();
  expect(await held.ended).toMatchObject({ status: 204, connection: 'close' });
  expect(await exit).toBe(0);
  agent.destroy();
});

test('a service without --drain-seconds cuts an upload at the first signal', async () => {
  const service = await startService();
  running.push(service);
  const client = await clientFor(service);
  const bytes = randomBytes(3_000_000);
  const held = holdUpload((await newFile(client, bytes.length)).upload, bytes);
  await expect.poll(() => receiving(service), waits).toBe(1);
  expect(await service.end('SIGTERM')).toBe(0);
  await expect(held.ended).rejects.toThrow();
  expect(service.log()).not.toContain('requests under way');
});
