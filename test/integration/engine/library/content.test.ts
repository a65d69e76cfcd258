// The bytes of files as the window receives them: the real service, whose signed addresses expire while a file is read.
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Engine } from '../../../../electron/engine/engine.ts';
import { captureLogger } from '../../../helpers/engine/capture-logger.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { clearJournal, requestsOf } from '../../../helpers/service/journal.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';

const it = deskTest();

const TTL_SECONDS = 2;
const log = captureLogger();
it.override({ speed: 20, host: { contentTtlSeconds: TTL_SECONDS, logger: log } });

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function uploaded(desk: Desk, name: string, contents: Buffer) {
  desk.put(name, contents);
  await desk.add();
  await desk.run();
  const { mediaId, fileId } = await desk.row(name);
  if (mediaId === null || fileId === null) throw new Error('The upload has no file.');
  return { kind: 'media' as const, siteId: desk.siteId, mediaId, fileId };
}

const open = (engine: Engine, ref: Parameters<Engine['content']>[0], range: string | null = null) =>
  engine.content(ref, range, new AbortController().signal);

async function bytesOf(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('the content of a file', () => {
  it('continues at the same byte when its signed address expired and the connection was lost', async ({
    desk,
    service,
  }) => {
    const contents = randomBytes(3_000_000);
    const ref = await uploaded(desk, 'lecture.bin', contents);
    await clearJournal(service);
    await service.control('POST', '/faults', {
      path: '^/cdn/',
      times: 1,
      action: { kind: 'truncate', afterBytes: 1_000_000 },
    });
    const direct = await clientFor(service);
    const path = `/api2/media/${ref.mediaId}/files/${ref.fileId}/content?json=1&ttl=${TTL_SECONDS}`;
    const { content, body } = { content: await open(desk.engine, ref), body: (await direct.get(path)).body };
    const first = await content.body.next();
    // An address that was signed later has expired, so the address of the connection has expired as well.
    await expect.poll(async () => (await fetch(body.location)).status, { timeout: 60_000 }).toBe(403);
    const rest = await bytesOf(content.body);
    expect(sha256(Buffer.concat([first.value ?? Buffer.alloc(0), rest]))).toBe(sha256(contents));
    const opened = await requestsOf(service, 'GET', /\/content$/);
    expect(opened.length).toBe(3);
    await content.close();
  });

  it('is returned for exactly the range that the player requests', async ({ desk }) => {
    const contents = randomBytes(100_000);
    const ref = await uploaded(desk, 'clip.bin', contents);
    const content = await open(desk.engine, ref, 'bytes=50000-');
    expect(content).toMatchObject({
      status: 206,
      headers: { 'content-range': 'bytes 50000-99999/100000', 'content-length': '50000', 'accept-ranges': 'bytes' },
    });
    expect(sha256(await bytesOf(content.body))).toBe(sha256(contents.subarray(50_000)));
    const part = await open(desk.engine, ref, 'bytes=10-19');
    expect(await bytesOf(part.body)).toEqual(contents.subarray(10, 20));
    await expect(open(desk.engine, ref, 'bytes=100000-')).rejects.toMatchObject({ code: 'content.range' });
  });

  it('leaves nothing of a signed address in the profile or in the log', async ({ desk, service }) => {
    const ref = await uploaded(desk, 'secret.bin', randomBytes(1000));
    await (await open(desk.engine, ref)).close();
    await bytesOf((await open(desk.engine, ref)).body);
    await service.control('POST', '/faults', { path: '^/cdn/', times: null, action: { kind: 'status', status: 403 } });
    await expect(open(desk.engine, ref)).rejects.toMatchObject({ code: 'content.refused' });
    const tokens = (await requestsOf(service, 'GET', /^\/cdn\//)).map(({ path }) => path?.split('/')[2] ?? '');
    expect(tokens.length).toBeGreaterThan(2);
    const texts = [log.text(), ...filesBelow(desk.profile.dir).map((file) => readFileSync(file, 'latin1'))];
    for (const text of texts) {
      expect(text).not.toContain('/cdn/');
      for (const token of tokens) expect(text).not.toContain(token);
    }
  });

  it('ends with an error when the account signs out', async ({ desk }) => {
    const ref = await uploaded(desk, 'long.bin', randomBytes(3_000_000));
    const content = await open(desk.engine, ref);
    await content.body.next();
    await desk.engine.call('sites.signOut', { siteId: desk.siteId });
    await expect(bytesOf(content.body)).rejects.toMatchObject({ code: 'sign-in.required' });
  });

  it('is converted to WebVTT for captions, and is returned as a PDF only when its bytes are a PDF', async ({
    desk,
  }) => {
    const page = await uploaded(desk, 'paper.pdf', Buffer.from('<html><script>alert(1)</script></html>'));
    await expect(open(desk.engine, { ...page, kind: 'document' })).rejects.toMatchObject({ code: 'content.not-pdf' });
    const real = await uploaded(desk, 'real.pdf', Buffer.from('%PDF-1.4\n%%EOF\n'));
    const pdf = await open(desk.engine, { ...real, kind: 'document' });
    expect(pdf.headers['content-type']).toBe('application/pdf');
    expect((await bytesOf(pdf.body)).toString()).toBe('%PDF-1.4\n%%EOF\n');
    const srt = await uploaded(desk, 'talk.bin', Buffer.from('1\r\n00:00:01,5 --> 00:00:02,250\r\nHello\r\n'));
    const captions = await open(desk.engine, { ...srt, kind: 'captions' });
    expect((await bytesOf(captions.body)).toString()).toContain('00:00:01.500 --> 00:00:02.250\nHello');
    await expect(open(desk.engine, { ...real, kind: 'captions' })).rejects.toMatchObject({
      code: 'content.not-captions',
    });
  });

  it('is reported as unavailable after a server error, and its signed address is never given to the window', async ({
    desk,
    service,
  }) => {
    const ref = await uploaded(desk, 'gone.bin', randomBytes(1000));
    await service.control('POST', '/faults', { path: '^/cdn/', times: null, action: { kind: 'status', status: 503 } });
    await expect(open(desk.engine, ref)).rejects.toMatchObject({ code: 'content.unavailable' });
    await expect(
      desk.engine.call('files.webAddress', { siteId: ref.siteId, mediaId: ref.mediaId, fileId: ref.fileId }),
    ).rejects.toMatchObject({ code: 'input.invalid' });
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
