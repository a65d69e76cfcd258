// Failures of a worker's computer, of its network and of its service say nothing about the file that it processes.

import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findTools } from '../../../../service/processing/tools/find-tools.ts';
import { effectsOf, requestsOf } from '../../../helpers/service/journal.ts';
import type { ServiceClient } from '../../../helpers/service/service-client.ts';
import type { ServiceProcess } from '../../../helpers/service/service-process.ts';
import { png, wav } from '../../../helpers/service/service-samples.ts';
import { openWorkersLibrary, WORKER_TOKEN, type WorkersLibrary } from '../../../helpers/service/worker-process.ts';
import { mayMount, mountSmallDisk } from '../../../helpers/system/small-disk.ts';

const { ffmpeg, ffprobe } = findTools();
const AFTER_LEASE_MS = 61_000;
const NOTHING = { facts: null, encodings: [], thumb: null, reason: null };
const UNKNOWN_THUMB = { storedName: '0'.repeat(32), contentType: 'image/jpeg', width: 1, height: 1 };

describe.runIf(ffmpeg !== null && ffprobe !== null)('a failure beside the file', { timeout: 300_000 }, () => {
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
  interface Claimed {
    claim: string;
    order: { file: { id: number }; decided: { reason: string | null } | null };
  }
  const claimAs = async (worker: string, more: object = {}) =>
    (await (await request('POST', '', { worker, holds: [], ...more })).json()) as Claimed;
  /** Asks in a way that does not renew the claim. */
  const isLost = async (claim: string) =>
    (await request('POST', `/${claim}/outcome`, { ...NOTHING, thumb: UNKNOWN_THUMB })).status === 410;
  const idOf = (file: string) => Number(file.split('/').at(-1));
  const settings = (patch: object) => service.control('PATCH', '/settings', patch);
  const isClaimed = async () => (await effectsOf(service, 'file-claimed')).length > 0;

  test('a worker whose folder of temporary files is deleted processes files in a new one', async () => {
    await settings({ processing: { delay_ms: 2000 } });
    const file = await admin.upload(item, 'a.wav', wav());
    const worker = work();
    await expect.poll(isClaimed).toBe(true);
    await rm(join(library.folder, `mediadesk-worker-${worker.pid}`), { recursive: true });
    await settings({ processing: { delay_ms: 0 } });
    const next = await admin.upload(item, 'b.wav', wav());
    expect((await admin.processed(next)).status).toBe('complete');
    // The first worker leaves the other file to others for a minute.
    work();
    expect((await admin.processed(file)).status).toBe('complete');
  });

  test('a tool that the system kills does not make a file unusable', async () => {
    const bin = join(library.folder, 'bin');
    await mkdir(bin);
    const flag = join(library.folder, 'killed-once');
    const script = `#!/bin/sh\nif [ -e ${flag} ]; then exec ${ffmpeg} "$@"; fi\n: > ${flag}\nkill -9 $$\n`;
    await writeFile(join(bin, 'ffmpeg'), script);
    await chmod(join(bin, 'ffmpeg'), 0o755);
    const file = await admin.upload(item, 'a.wav', wav());
    const worker = work({ env: { ...process.env, PATH: `${bin}:${process.env.PATH}` } });
    await expect.poll(() => worker.log(), { timeout: 60_000 }).toContain('killed a tool');
    await worker.stop();
    work();
    expect(await admin.processed(file)).toMatchObject({ status: 'complete', encodings: [{}] });
  });

  test.runIf(mayMount())('a full drive of a worker does not make files unusable', async () => {
    const disk = mountSmallDisk(3);
    try {
      // The original fits; its encoding does not fit beside it.
      const file = await admin.upload(item, 'a.wav', wav(190));
      const worker = work({ scratch: disk.path });
      await expect.poll(() => worker.log(), { timeout: 60_000 }).toContain('work was given back');
      expect((await admin.get(file)).body.status).toBe('processing');
      await worker.stop();
      work();
      expect(await admin.processed(file)).toMatchObject({ status: 'complete', encodings: [{}] });
    } finally {
      await library.stopWorkers();
      disk.remove();
    }
  });

  test('a file whose content is gone from the storage does not keep a worker from others', async () => {
    const gone = await admin.upload(item, 'a.wav', wav());
    const stored = join(service.dataDir, 'stored');
    const [name = ''] = (await readdir(stored, { recursive: true })).filter((each) => each.length > 3);
    await rm(join(stored, name));
    const file = await admin.upload(item, 'p.png', png(64, 48));
    work();
    expect((await admin.processed(file)).status).toBe('complete');
    expect((await admin.get(gone)).body.status).toBe('processing');
  });

  test('claims that a worker lost by its network, and gives back, are no crashes', async () => {
    await admin.upload(item, 'a.wav', wav());
    for (let round = 1; round <= 3; round += 1) {
      const { claim } = await claimAs('w');
      await settings({ clock_offset_ms: AFTER_LEASE_MS * round });
      await expect.poll(() => isLost(claim)).toBe(true);
      if (round === 2) await request('DELETE', `/${claim}`);
      else await request('DELETE', `/${(await claimAs('w', { returns: [claim] })).claim}`);
    }
    expect((await claimAs('w')).order.decided).toBeNull();
  });

  test('a worker that says that the file may be the reason is believed three times', async () => {
    const file = await admin.upload(item, 'a.wav', wav());
    for (let round = 1; round <= 3; round += 1) {
      const { claim, order } = await claimAs('w');
      expect(order.decided).toBeNull();
      await request('DELETE', `/${claim}?suspect=1`);
    }
    expect((await claimAs('w')).order).toMatchObject({
      file: { id: idOf(file) },
      decided: { reason: expect.any(String) },
    });
  });

  test('no claim is lost because the service stood still', async () => {
    await admin.upload(item, 'a.wav', wav());
    const { claim } = await claimAs('w');
    await settings({ clock_offset_ms: AFTER_LEASE_MS - 12_000 });
    service.signal('SIGSTOP');
    // The time itself is the subject.
    await wait(17_000);
    service.signal('SIGCONT');
    await expect.poll(async () => (await admin.get(item)).status).toBe(200);
    expect((await request('POST', `/${claim}/renew`)).status).toBe(204);
  });

  test('a service that is about to stop takes what workers have, and gives no new work', async () => {
    await library.close();
    library = await openWorkersLibrary(['--drain-seconds', '120']);
    ({ service, admin, item } = library);
    await admin.upload(item, 'a.wav', wav());
    const { claim } = await claimAs('w');
    // A request that does not end keeps the service from its end.
    const held = httpRequest(`${service.baseUrl}/api2/media`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.tokens.access_token}`, 'content-length': 10 },
    });
    held.on('error', () => {});
    held.write('{');
    await expect.poll(async () => (await requestsOf(service, 'POST', /^\/api2\/media$/)).length).toBe(2);
    service.signal('SIGTERM');
    await expect.poll(async () => (await request('POST', '', { worker: 'w', holds: [claim] })).status).toBe(503);
    expect((await request('POST', `/${claim}/renew`)).status).toBe(204);
    expect((await request('POST', `/${claim}/outcome`, NOTHING)).status).toBe(204);
    held.destroy();
  });

  test('a product that the service stores for long is sent once', async () => {
    const rule = { method: 'PUT', path: '/products$', action: { kind: 'delay', ms: 33_000 } };
    await service.control('POST', '/faults', rule);
    const file = await admin.upload(item, 'a.wav', wav());
    work();
    expect(await admin.processed(file)).toMatchObject({ status: 'complete', encodings: [{}] });
    expect(await requestsOf(service, 'PUT', /products$/)).toHaveLength(1);
  });

  test.each([
    ['one product as two encodings', 2, null],
    ['half a pixel', 1, { format: 'wav', kind: 'audio', width: 0.5, height: null, durationS: 1, bitrate: 1 }],
    [
      'a duration of a million years',
      1,
      { format: 'wav', kind: 'audio', width: 1, height: 1, durationS: 1e14, bitrate: 1 },
    ],
  ])('an outcome with %s is refused', async (_what, times, facts) => {
    const file = await admin.upload(item, 'a.wav', wav());
    const { claim } = await claimAs('w');
    const put = await fetch(`${service.baseUrl}/workers/claims/${claim}/products`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${WORKER_TOKEN}`, 'content-type': 'application/octet-stream' },
      body: Buffer.from('made'),
    });
    const { name: storedName } = (await put.json()) as { name: string };
    const encodings = Array(times).fill({ profile: 'x', container: 'mp4', storedName, sizeBytes: 4, facts: null });
    const answer = await request('POST', `/${claim}/outcome`, { facts, encodings, thumb: null, reason: null });
    expect(answer.status).toBe(422);
    expect((await admin.get(file)).body.status).toBe('processing');
  });

  test('a product without a body and a type is a bad request', async () => {
    await admin.upload(item, 'a.wav', wav());
    const { claim } = await claimAs('w');
    const answer = await fetch(`${service.baseUrl}/workers/claims/${claim}/products`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${WORKER_TOKEN}` },
    });
    expect(answer.status).toBe(400);
  });
});
