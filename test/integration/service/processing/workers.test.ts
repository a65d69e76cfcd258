// Workers in processes of their own: what they make, and that each file is processed once whatever ends in between.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findTools } from '../../../../service/processing/tools/find-tools.ts';
import { effectsOf, requestsOf } from '../../../helpers/service/journal.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { mp4, png, srt, wav } from '../../../helpers/service/service-samples.ts';
import {
  openWorkersLibrary,
  startWorker,
  WORKER_TOKEN,
  type WorkersLibrary,
} from '../../../helpers/service/worker-process.ts';

const { ffmpeg, ffprobe } = findTools();
const AFTER_LEASE_MS = 61_000;

describe.runIf(ffmpeg !== null && ffprobe !== null)(
  'a service whose files are processed by workers',
  { timeout: 600_000 },
  () => {
    let library: WorkersLibrary;
    let service: ServiceProcess;
    let admin: ServiceClient;
    let item: string;

    beforeEach(async () => {
      library = await openWorkersLibrary();
      ({ service, admin, item } = library);
    });
    afterEach(() => library.close());

    const work: WorkersLibrary['work'] = (start) => library.work(start);
    const request: WorkersLibrary['request'] = (...given) => library.request(...given);
    /** The blobs in the data directory. */
    const blobs = async () =>
      (await readdir(join(service.dataDir, 'stored'), { recursive: true })).filter((name) => name.length > 3);
    const isClaimed = async () => (await effectsOf(service, 'file-claimed')).length > 0;

    test('a worker finds out and makes the same as a service without workers', async () => {
      const alone = await startService();
      try {
        const other = await clientFor(alone);
        work();
        const results: { facts: { status: string }[]; thumbs: unknown[] }[] = [];
        for (const client of [admin, other]) {
          const own = await client.createItem('Same');
          const video = await client.upload(own, 'v.mp4', mp4());
          const id = video.split('/').at(-1);
          const files = [
            video,
            await client.upload(own, 'a.wav', wav(3)),
            await client.upload(own, 'p.png', png(64, 48)),
            await client.upload(own, 'c.srt', Buffer.from(srt), { encoded_from_id: id }),
            await client.upload(own, 'broken.png', Buffer.alloc(5000, 7)),
            await client.upload(own, 'b.bin', Buffer.alloc(100, 7), { upload_type: 'blob' }),
          ];
          const facts = [];
          for (const file of files) {
            const { status, type, container, duration, width, height, max_bitrate, encodings } =
              await client.processed(file);
            const made = encodings.map((each: Record<string, unknown>) => [
              each.encoding_profile,
              each.container,
              each.size,
              each.duration,
            ]);
            facts.push({ status, type, container, duration, width, height, max_bitrate, made });
          }
          const thumbs = (await client.get(`${own}/thumbs`)).body.items;
          results.push({ facts, thumbs: thumbs.map(({ width, height }: Record<string, number>) => [width, height]) });
        }
        expect(results[0]).toEqual(results[1]);
        expect(results[0]?.facts.map(({ status }) => status)).toContain('complete');
        expect(results[0]?.thumbs.length).toBeGreaterThan(0);
      } finally {
        await alone.stop();
      }
    });

    test('without a worker, files wait; the service itself processes nothing', async () => {
      const file = await admin.upload(item, 'a.wav', wav());
      const { status } = (await admin.get(file)).body;
      expect(status).toBe('processing');
      const answer = await request('POST', '', { worker: 'by-hand', holds: [] });
      expect(await answer.json()).toMatchObject({ order: { file: { id: Number(file.split('/').at(-1)) } } });
    });

    test('another worker takes over when one is killed, after the time of its claim', async () => {
      await service.control('PATCH', '/settings', { processing: { delay_ms: 600_000 } });
      const file = await admin.upload(item, 'a.wav', wav());
      const first = work();
      await expect.poll(isClaimed).toBe(true);
      await first.kill9();
      await service.control('PATCH', '/settings', { processing: { delay_ms: 0 } });
      work();
      await service.control('PATCH', '/settings', { clock_offset_ms: AFTER_LEASE_MS });
      expect(await admin.processed(file)).toMatchObject({
        status: 'complete',
        encodings: [{ encoding_profile: 'm4a-128k' }],
      });
      expect(await effectsOf(service, 'file-complete')).toHaveLength(1);
    });

    test('a worker that is stopped gives its file back at once, and leaves nothing', async () => {
      await service.control('PATCH', '/settings', { processing: { delay_ms: 600_000 } });
      const file = await admin.upload(item, 'a.wav', wav());
      const first = work();
      await expect.poll(isClaimed).toBe(true);
      expect(await first.stop()).toBe(0);
      await service.control('PATCH', '/settings', { processing: { delay_ms: 0 } });
      work();
      expect((await admin.processed(file)).status).toBe('complete');
      expect((await readdir(library.folder)).filter((name) => name.includes(String(first.pid)))).toEqual([]);
    });

    test('a worker that is stopped while its claim is answered gives the file back at once', async () => {
      await service.control('POST', '/faults', {
        method: 'POST',
        path: '^/workers/claims$',
        times: null,
        action: { kind: 'delay', ms: 1500 },
      });
      const file = await admin.upload(item, 'a.wav', wav());
      const first = work();
      await expect.poll(async () => (await requestsOf(service, 'POST', /^\/workers\/claims$/)).length).toBe(1);
      expect(await first.stop()).toBe(0);
      expect(await effectsOf(service, 'file-claimed')).toHaveLength(1);
      await service.control('DELETE', '/faults');
      work();
      expect((await admin.processed(file, 30_000)).status).toBe('complete');
    });

    test('a worker continues while the service is stopped, killed and started again', async () => {
      await service.control('PATCH', '/settings', { processing: { delay_ms: 4000 } });
      const file = await admin.upload(item, 'a.wav', wav());
      const worker = work();
      await expect.poll(isClaimed).toBe(true);
      await service.restart();
      await service.kill9();
      await service.restart();
      expect(await admin.processed(file)).toMatchObject({ status: 'complete', encodings: [{}] });
      expect(await effectsOf(service, 'file-complete')).toHaveLength(1);
      expect(worker.log()).not.toContain('given back');
    });

    test.each([
      ['the claim', 'POST', '^/workers/claims$'],
      ['the product', 'PUT', '/products$'],
      ['the outcome', 'POST', '/outcome$'],
      ['the content', 'GET', '^/cdn/'],
    ])('a lost answer about %s changes nothing', async (_what, method, path) => {
      await service.control('POST', '/faults', { method, path, times: 2, action: { kind: 'lose-reply' } });
      work();
      const file = await admin.upload(item, 'a.wav', wav());
      expect(await admin.processed(file)).toMatchObject({ status: 'complete', encodings: [{}] });
      expect(await effectsOf(service, 'file-complete')).toHaveLength(1);
      // Original and encoding; products whose name the worker never learned are deleted.
      await expect.poll(async () => (await blobs()).length).toBe(2);
    });

    test('content that is cut off is read on from there', async () => {
      await service.control('POST', '/faults', {
        method: 'GET',
        path: '^/cdn/',
        times: 3,
        action: { kind: 'truncate', afterBytes: 100_000 },
      });
      work();
      const file = await admin.upload(item, 'a.wav', wav(10));
      expect(await admin.processed(file)).toMatchObject({ status: 'complete', duration: 10, encodings: [{}] });
    });

    test('the work ends when the file is deleted, and its products are deleted', async () => {
      const file = await admin.upload(item, 'a.wav', wav());
      const claimed = (await (await request('POST', '', { worker: 'by-hand', holds: [] })).json()) as { claim: string };
      const put = await fetch(`${service.baseUrl}/workers/claims/${claimed.claim}/products`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${WORKER_TOKEN}`, 'content-type': 'application/octet-stream' },
        body: Buffer.from('made'),
      });
      expect(put.status).toBe(201);
      expect(await blobs()).toHaveLength(2);
      await admin.delete(file);
      expect((await request('POST', `/${claimed.claim}/renew`)).status).toBe(410);
      expect(
        (await request('POST', `/${claimed.claim}/outcome`, { facts: null, encodings: [], thumb: null, reason: null }))
          .status,
      ).toBe(410);
      await expect.poll(async () => (await blobs()).length).toBe(0);
    });

    test('an outcome can name products of its own claim only', async () => {
      const [first, second] = [await admin.upload(item, 'a.wav', wav()), await admin.upload(item, 'b.wav', wav())];
      const claims = [];
      for (const worker of ['one', 'two']) {
        claims.push((await (await request('POST', '', { worker, holds: [] })).json()) as { claim: string });
      }
      const put = await fetch(`${service.baseUrl}/workers/claims/${claims[0]?.claim}/products`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${WORKER_TOKEN}`, 'content-type': 'application/octet-stream' },
        body: Buffer.from('made'),
      });
      const { name: storedName } = (await put.json()) as { name: string };
      const encodings = [{ profile: 'x', container: 'mp4', storedName, sizeBytes: 99, facts: null }];
      const outcome = { facts: null, encodings, thumb: null, reason: null };
      expect((await request('POST', `/${claims[1]?.claim}/outcome`, outcome)).status).toBe(422);
      expect((await request('POST', `/${claims[0]?.claim}/outcome`, outcome)).status).toBe(204);
      expect(await admin.processed(first)).toMatchObject({ status: 'complete', encodings: [{ size: 4 }] });
      expect((await admin.get(second)).body.status).toBe('processing');
    });

    test('a worker with a wrong token ends with a sentence, and learns nothing', async () => {
      const worker = work({ token: 'another-token-of-sufficient-length-000' });
      expect(await worker.exited).toBe(1);
      expect(worker.log()).toContain('does not know the token');
      for (const [method, path] of [
        ['POST', ''],
        ['POST', '/x/renew'],
        ['DELETE', '/x'],
        ['POST', '/x/outcome'],
      ] as const) {
        expect((await request(method, path, { worker: 'x', holds: [] }, 'wrong')).status).toBe(401);
      }
    });

    test('files are processed once each while workers and service are killed again and again', async () => {
      await service.control('PATCH', '/settings', { processing: { delay_ms: 100 } });
      const files: string[] = [];
      for (let index = 0; index < 8; index += 1) files.push(await admin.upload(item, `${index}.wav`, wav()));
      for (let round = 0; round < 3; round += 1) {
        const two = [work({ parallel: 2 }), work({ parallel: 2 })];
        await expect.poll(async () => (await admin.get(files[round * 2 + 1] ?? '')).body.status).toBe('complete');
        if (round % 2 === 1) {
          await service.kill9();
          await service.restart();
        }
        // A file during which three workers are killed ends in error, as it should.
        for (const worker of two) await (round >= 2 ? worker.stop() : worker.kill9());
        await service.control('PATCH', '/settings', { clock_offset_ms: AFTER_LEASE_MS * (round + 1) });
      }
      work({ parallel: 2 });
      for (const file of files) {
        expect(await admin.processed(file), service.log()).toMatchObject({
          status: 'complete',
          encodings: [{ encoding_profile: 'm4a-128k' }],
        });
      }
      await expect.poll(async () => (await blobs()).length).toBe(16);
    });
  },
);

test('a worker of a service without workers ends with a sentence', { timeout: 300_000 }, async () => {
  if (ffmpeg === null || ffprobe === null) return;
  const service = await startService();
  const worker = startWorker(service.baseUrl);
  try {
    expect(await worker.exited).toBe(1);
    expect(worker.log()).toContain('needs the section “workers”');
  } finally {
    await worker.stop();
    await service.stop();
  }
});
