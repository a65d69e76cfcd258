// Failures when an upload is aborted, and between its last byte and its storage.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../../../../service/database/database.ts';
import type { Store } from '../../../../service/database/store.ts';
import type { Site } from '../../../../service/site/site.ts';
import type { Blobs } from '../../../../service/storage/blobs.ts';
import { openDiskBlobs } from '../../../../service/storage/disk-blobs.ts';
import { createFileSink, type SinkEvents } from '../../../../service/storage/file-sink.ts';
import { openScratch, type Scratch } from '../../../../service/storage/scratch.ts';
import { receiveForm } from '../../../../service/uploads/receive-form.ts';
import { storeUploadedThumb } from '../../../../service/uploads/thumb-arrival.ts';
import { png } from '../../../helpers/service/service-samples.ts';

let folder: string;
let store: Store;
let scratch: Scratch;
let blobs: Blobs;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'library-arrivals-'));
  store = await openStore(join(folder, 'library.sqlite'));
  scratch = openScratch(folder);
  blobs = await openDiskBlobs(folder, scratch);
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

const storedFiles = () =>
  readdirSync(join(folder, 'stored'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

test('a thumbnail leaves neither a row nor a file when its user is deleted while it is stored', async () => {
  await store.run(
    `INSERT INTO users (id, email_address, first_name, last_name, unique_id, is_admin, created_on, modified_on)
     VALUES (4, 'admin@example.org', 'A', 'A', 'basic:admin', 1, 0, 0), (5, 'five@example.org', 'F', 'F', 'basic:five', 0, 0, 0)`,
  );
  let isDeleted = false;
  const slow: Blobs = {
    ...blobs,
    async put(path) {
      const name = await blobs.put(path);
      if (isDeleted) await store.run('DELETE FROM users WHERE id = 5');
      return name;
    },
  };
  const settings = { current: () => ({ read_only: false }) };
  const site = { store, blobs: slow, settings, now: () => 1000 } as unknown as Site;
  const bytes = png();
  const arrive = async () => {
    const temporaryPath = scratch.path();
    writeFileSync(temporaryPath, bytes);
    const u = await store.insert(
      `INSERT INTO thumb_uploads (resource, resource_id, user_id, expires_at) VALUES ('users', 5, 4, 2000) RETURNING id`,
    );
    const grant = { k: 'thumb', id: 5, size: bytes.length, resource: 'users', u } as const;
    await storeUploadedThumb(site, grant, temporaryPath, () => {});
  };
  await arrive();
  expect([(await store.all('SELECT * FROM thumbs')).length, storedFiles().length]).toEqual([1, 1]);
  isDeleted = true;
  await expect(arrive()).rejects.toMatchObject({ status: 404 });
  expect([(await store.all('SELECT * FROM thumbs')).length, storedFiles().length]).toEqual([1, 1]);
});

/** Opens a sink whose file can't be closed. */
function unclosable(events: SinkEvents) {
  const sink = createFileSink(join(folder, 'half'), 1000, false, events);
  return {
    ...sink,
    async abandon() {
      await sink.abandon();
      throw new Error('EIO: i/o error, close');
    },
  };
}

test('a failed upload is answered with its cause, even when its incomplete file cannot be closed', async () => {
  const logged: string[] = [];
  const ended = new Promise((resolve) => {
    const server = createServer((request) => {
      const expected = {
        fileParam: 'file',
        fields: {},
        sizeBytes: 1000,
        openSink: unclosable,
        onBytes: () => {},
        log: (message: string) => void logged.push(message),
      };
      receiveForm(request, expected).then(resolve, resolve);
      server.close();
    }).listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': 5000 };
      const client = send({ host: '127.0.0.1', port, method: 'POST', headers });
      client.on('error', () => {});
      client.write('--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nhalf of it', () =>
        client.destroy(),
      );
    });
  });
  expect(await ended).toMatchObject({ message: expect.stringContaining('before the end of the upload') });
  expect(logged).toEqual(['upload-not-closed']);
});
