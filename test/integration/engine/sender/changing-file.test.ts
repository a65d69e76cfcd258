import { appendFile, open, rename, truncate, unlink, utimes, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { OpenFile } from '../../../../electron/engine/ports/files.ts';
import { nodeFiles } from '../../../../electron/engine/ports/system/node-files.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import { failToSend, failureOf, makeFile, serve, startSending } from '../../../helpers/sender/form-sending.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';

const MIB = 1024 * 1024;
const BIG = 24 * MIB;

/** A receiver that reads one MiB, waits for a signal, then reads the rest. */
async function receiver() {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const got = { tail: '', announcedBytes: 0, takenBytes: 0 };
  const server = await serve(async (peer) => {
    const head = await peer.readHead();
    got.announcedBytes = Number(head.headers.get('content-length'));
    if (head.headers.has('expect')) peer.goAhead();
    got.takenBytes += (await peer.readExactly(MIB)).length;
    await released;
    for (;;) {
      const chunk = await peer.read();
      if (chunk === null) break;
      got.takenBytes += chunk.length;
      got.tail = (got.tail + chunk.toString('latin1')).slice(-80);
    }
  });
  return { server, got, release: () => release() };
}

const changes: [string, (path: string) => Promise<void>][] = [
  ['grows', (path) => appendFile(path, 'more')],
  ['shrinks', (path) => truncate(path, BIG / 2)],
  ['is emptied', (path) => truncate(path, 0)],
  ['gets other bytes at its end', (path) => overwrite(path)],
  ['gets another modification time', (path) => utimes(path, 1_000_000_000, 1_000_000_000)],
  ['is overwritten with the same size', (path) => writeFile(path, Buffer.alloc(BIG))],
];

async function overwrite(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  await handle.write(Buffer.alloc(10), 0, 10, BIG - 10);
  await handle.utimes(2_000_000_000, 2_000_000_000);
  await handle.close();
}

describe('a file that changes while it is sent', () => {
  it.each(changes)('makes the attempt fail without the closing boundary (%s)', async (_what, change) => {
    const { server, got, release } = await receiver();
    const file = await makeFile(BIG);
    const sending = await startSending(server.url, file.path);
    await sending.reached(MIB);
    await change(file.path);
    release();
    const error = await failureOf(sending);
    expect(error.code).toBe('file.changed');
    expect(error.details).toMatchObject({ expectedBytes: BIG });
    await server.scriptsEnded();
    expect(got.takenBytes).toBeLessThan(got.announcedBytes);
    expect(got.tail).not.toContain('mediadesk');
  });

  it('is detected within a second of sending, not at the end', async () => {
    const clock = new ManualClock();
    const { server, got, release } = await receiver();
    const file = await makeFile(3 * BIG);
    const sending = await startSending(server.url, file.path, { clock });
    await sending.reached(MIB);
    await appendFile(file.path, 'more');
    clock.advance(1000);
    release();
    const error = await failureOf(sending);
    expect(error.code).toBe('file.changed');
    await server.scriptsEnded();
    expect(got.takenBytes).toBeLessThan(2 * BIG);
  });

  it.each([
    ['it is shorter', -1],
    ['it is longer', 1],
  ])('makes the attempt fail when it changed between planning and sending (%s)', async (_what, by) => {
    const { server, got, release } = await receiver();
    release();
    const file = await makeFile(1000);
    const planned = await nodeFiles.facts(file.path);
    await writeFile(file.path, Buffer.alloc(1000 + by));
    const error = await failToSend(server.url, file.path, { expected: planned });
    expect(error.code).toBe('file.changed');
    await server.scriptsEnded();
    expect(got.takenBytes).toBeLessThan(got.announcedBytes);
  });

  it('makes the attempt fail when it changed after its last byte was read', async () => {
    const { server, got, release } = await receiver();
    release();
    const file = await makeFile(1000);
    const real = await nodeFiles.open(file.path);
    const changedLate: OpenFile = {
      ...real,
      read: async (buffer, offset, length, position) => {
        const count = await real.read(buffer, offset, length, position);
        await appendFile(file.path, 'late');
        return count;
      },
    };
    const error = await failToSend(server.url, file.path, { file: changedLate });
    expect(error).toMatchObject({ code: 'file.changed', details: { foundBytes: 1004, sentBytes: 1000 } });
    await server.scriptsEnded();
    expect(got.takenBytes).toBeLessThan(got.announcedBytes);
  });
});

describe('a file that becomes unreadable while it is sent', () => {
  it.each([
    ['deleted', (path: string) => unlink(path)],
    [
      'replaced by another file of the same name',
      async (path: string) => {
        await writeFile(`${path}.new`, Buffer.alloc(BIG));
        await rename(`${path}.new`, path);
      },
    ],
  ])('is reported as missing, and the closing boundary is never sent (%s)', async (_how, remove) => {
    const { server, got, release } = await receiver();
    const file = await makeFile(BIG);
    const sending = await startSending(server.url, file.path);
    await sending.reached(MIB);
    await remove(file.path);
    release();
    expect(await failureOf(sending)).toMatchObject({ code: 'file.missing' });
    expect(got.tail).not.toContain('mediadesk');
  });

  it('ends the transfer with the error of the disk and without the closing boundary', async () => {
    const { server, got, release } = await receiver();
    const file = await makeFile(BIG);
    const real = await nodeFiles.open(file.path);
    let gone = false;
    const pulled: OpenFile = {
      ...real,
      read: async (...where) => {
        if (gone) throw appError('file.unreadable', { details: { path: file.path, reason: 'EIO' } });
        return real.read(...where);
      },
    };
    const sending = await startSending(server.url, file.path, { file: pulled });
    await sending.reached(MIB);
    gone = true;
    release();
    const error = await failureOf(sending);
    expect(error).toMatchObject({ code: 'file.unreadable', details: { path: file.path, reason: 'EIO' } });
    await server.scriptsEnded();
    expect(got.tail).not.toContain('mediadesk');
  });

  it('ends the transfer as stalled when the disk never answers', async () => {
    const clock = new ManualClock();
    const { server, release } = await receiver();
    release();
    const file = await makeFile(BIG);
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const real = await nodeFiles.open(file.path);
    const hung: OpenFile = {
      ...real,
      read: async (buffer, offset, length, position) => {
        if (position < 4 * MIB) return real.read(buffer, offset, length, position);
        asked();
        return new Promise(() => {});
      },
    };
    const sending = await startSending(server.url, file.path, { clock, file: hung });
    await isAsked;
    await sending.reached(4 * MIB);
    clock.advance(120_000);
    expect(await failureOf(sending)).toMatchObject({ code: 'upload.stalled', details: { sentBytes: 4 * MIB } });
    await server.scriptsEnded();
  });
});
