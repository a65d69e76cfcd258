// Downloads from a file server that sends something else than the library promises.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Download } from '../../../../shared/contract/downloads.ts';
import { type ChangedLibrary, openChangedLibrary } from '../../../helpers/engine/changed-library.ts';
import { startSmallServer } from '../../../helpers/wire/small-server.ts';

let library: ChangedLibrary;
beforeAll(async () => {
  library = await openChangedLibrary(20);
});
afterAll(() => library.close());

/** Downloads a file of ten bytes, whose bytes come from a server with this answer. Returns the download and its folder. */
async function downloadFrom(answer: (response: ServerResponse) => void): Promise<{ ended: Download; folder: string }> {
  await library.nextCase();
  const { desk, proxy, client } = library;
  const storage = await startSmallServer((_request, response) => answer(response));
  const item = await client.createItem('Ten', { collection_id: desk.collectionId });
  await client.processed(await client.upload(item, 'ten.bin', Buffer.from('0123456789')));
  proxy.change({
    reply(reply, { url }) {
      if (!url.includes('/content')) return reply;
      return { ...reply, body: JSON.stringify({ location: `${storage.url}/ten.bin` }) };
    },
  });
  const folder = join(desk.dir, `case ${library.count}`);
  mkdirSync(folder);
  const mediaId = item.split('/').at(-1) ?? '';
  const files = [{ mediaId, fileId: null }];
  const { downloads } = await desk.engine.call('downloads.start', { siteId: desk.siteId, files, folder });
  const find = async () => (await desk.engine.call('downloads.list', null)).find(({ id }) => id === downloads[0]?.id);
  const isEnded = (row: Download | undefined) => row?.state === 'complete' || row?.state === 'failed';
  await expect.poll(async () => isEnded(await find()), { timeout: 60_000 }).toBe(true);
  const ended = await find();
  if (ended === undefined) throw new Error('The download is not listed.');
  return { ended, folder };
}

describe('a download', () => {
  it('saves what the library promises', async () => {
    const { ended, folder } = await downloadFrom((response) => response.end('0123456789'));
    expect(ended).toMatchObject({ state: 'complete' });
    expect(readFileSync(join(folder, 'ten.bin'), 'utf8')).toBe('0123456789');
  });

  it('ends when the answer has no end, and leaves no file', async () => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let sentBytes = 0;
    const { ended, folder } = await downloadFrom((response) => {
      const send = () => {
        if (response.destroyed) return;
        sentBytes += chunk.length;
        response.write(chunk, send);
      };
      send();
    });
    expect(ended).toMatchObject({ state: 'failed', error: { code: 'download.size-differs' } });
    expect(readdirSync(folder)).toEqual([]);
    // What fits into the buffers of the connection, and not a full disk.
    expect(sentBytes).toBeLessThan(64 * 1024 * 1024);
  });

  it('writes nothing when the size of the answer differs', async () => {
    const { ended, folder } = await downloadFrom((response) => {
      response.writeHead(200, { 'content-length': 7 });
      response.end('0123456');
    });
    expect(ended).toMatchObject({
      state: 'failed',
      error: { code: 'download.size-differs', details: { promisedBytes: 10, sentBytes: 7 } },
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('refuses a compressed answer', async () => {
    const { ended, folder } = await downloadFrom((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(gzipSync(Buffer.alloc(1_000_000)));
    });
    expect(ended).toMatchObject({ state: 'failed', error: { code: 'content.encoded' } });
    expect(existsSync(join(folder, 'ten.bin'))).toBe(false);
  });
});
