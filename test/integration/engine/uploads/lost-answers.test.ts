// A destination that stored the file, and whose answer is lost: the library reports that it has received the file.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { deskTest } from '../../../helpers/engine/desk.ts';
import { requestsOf } from '../../../helpers/service/journal.ts';
import type { ServiceProcess } from '../../../helpers/service/service-process.ts';

const it = deskTest();

it.override('speed', 20);
// In this dialect, the library detects itself that the bytes arrived: there is no completion request.
it.override('serviceStart', { dialect: 'lean' });

const CONTENTS = Buffer.alloc(300_000, 'recorded');
const SHA256 = createHash('sha256').update(CONTENTS).digest('hex');

const loseAnswers = (service: ServiceProcess) =>
  service.control('POST', '/faults', { method: 'POST', path: '^/upload/', times: 1, action: { kind: 'lose-reply' } });
const formsSent = async (service: ServiceProcess) => (await requestsOf(service, 'POST', /^\/upload\//)).length;

describe('an upload whose answer is lost', () => {
  it('keeps the SHA-256 of the received bytes, and is sent once', async ({ desk, service }) => {
    await loseAnswers(service);
    await desk.add([desk.put('recording.bin', CONTENTS)]);
    await desk.run();
    const [row] = await desk.rows();
    expect(row).toMatchObject({ state: 'complete', sha256: SHA256, error: null });
    expect(await desk.storedSha256(row?.fileId ?? null)).toBe(SHA256);
    expect(await formsSent(service)).toBe(1);
  });

  it('keeps the SHA-256 over a restart before the library is asked', async ({ desk, service }) => {
    await loseAnswers(service);
    await desk.add([desk.put('recording.bin', CONTENTS)]);
    const lost = desk.whenRow(({ error }) => error?.code === 'upload.connection-lost');
    desk.engine.startUploads();
    await lost;
    await desk.reopen();
    await desk.run();
    const [row] = await desk.rows();
    expect(row).toMatchObject({ state: 'complete', sha256: SHA256 });
  });

  it('does not move its file when it has other contents by then, with the same size and time', async ({
    desk,
    service,
  }) => {
    await loseAnswers(service);
    const folder = join(desk.dir, 'done');
    mkdirSync(folder);
    const path = desk.put('in/recording.bin', CONTENTS);
    const { atime, mtime } = statSync(path);
    await desk.add([path], { source: { kind: 'move', folder } });
    const lost = desk.whenRow(({ error }) => error?.code === 'upload.connection-lost');
    desk.engine.startUploads();
    await lost;
    const changed = Buffer.from(CONTENTS).fill('x', 150_000, 150_010);
    writeFileSync(path, changed);
    utimesSync(path, atime, mtime);
    await desk.engine.whenUploadsIdle();
    const [row] = await desk.rows();
    expect(row).toMatchObject({ state: 'complete', sha256: SHA256 });
    expect(row?.followUps).toMatchObject([{ kind: 'source', error: { code: 'source.changed' } }]);
    expect(readFileSync(path).equals(changed)).toBe(true);
  });
});
