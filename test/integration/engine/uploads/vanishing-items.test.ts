// An upload searches for its item in a list, and the library answers 404 for one of the listed items.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { UploadRow } from '../../../../shared/contract/uploads.ts';
import { type ChangedLibrary, openChangedLibrary } from '../../../helpers/engine/changed-library.ts';
import type { PassedReply, PassedRequest } from '../../../helpers/wire/changing-proxy.ts';

/** A wait of a minute takes one second. */
const SPEED = 60;

let world: ChangedLibrary;
beforeAll(async () => {
  world = await openChangedLibrary(SPEED);
});
afterAll(() => world.close());
beforeEach(() => world.nextCase());

const isCreation = ({ method, url }: PassedRequest) => method === 'POST' && url === '/api2/media';
const isSearch = ({ method, url }: PassedRequest) =>
  method === 'GET' && /^\/api2\/media\?collection_id=.*created_after=/.test(url);
const isFileList = ({ method, url }: PassedRequest) => method === 'GET' && /^\/api2\/media\/\d+\/files$/.test(url);

async function itemsNow(): Promise<string[]> {
  const { body } = await world.client.get(`/api2/media?collection_id=${world.desk.collectionId}&per_page=200`);
  return body.items.map(({ id }: { id: string }) => id);
}

/** Uploads a file, and returns its row when no upload is in progress. */
async function upload(): Promise<UploadRow | undefined> {
  const path = join(world.desk.dir, `${world.count}.bin`);
  writeFileSync(path, `my recording ${world.count}`);
  const { batchId } = await world.desk.add([path], { duplicates: 'upload' });
  await world.desk.engine.whenUploadsIdle();
  return (await world.desk.rows()).find((row) => row.batchId === batchId);
}

describe('when a colleague deletes a draft during the search for an item whose creation was not answered', () => {
  /** The first list of the search still shows the draft. `whenLost`: happens before the reply to the creation is lost. */
  async function deleteDuringSearch(whenLost: () => Promise<unknown> = async () => {}): Promise<void> {
    const draft = { title: 'Draft of a colleague', collection_id: world.desk.collectionId };
    const id = String((await world.client.post('/api2/media', draft)).body.id);
    let isLost = false;
    world.proxy.change({
      async reply(reply: PassedReply, request: PassedRequest) {
        if (isCreation(request)) {
          isLost = true;
          await whenLost();
          return null;
        }
        if (isLost && isSearch(request)) await world.client.delete(`/api2/media/${id}`);
        return reply;
      },
    });
  }

  it('a cancelled upload leaves no item', async () => {
    await deleteDuringSearch(() => world.desk.engine.call('uploads.cancel', { kind: 'all' }));
    expect(await upload()).toMatchObject({ state: 'cancelled', mediaId: null });
    expect(await itemsNow()).toEqual([]);
  });

  it('the upload finds its own item', async () => {
    await deleteDuringSearch();
    const row = await upload();
    expect(row).toMatchObject({ state: 'complete', error: null });
    expect(await itemsNow()).toEqual([row?.mediaId]);
  });
});

it('an item that a server of the library does not know yet is found by a later search', async () => {
  let isLost = false;
  let refusals = 2;
  world.proxy.change({
    reply(reply, request) {
      if (isCreation(request)) {
        isLost = true;
        return null;
      }
      if (!isLost || !isFileList(request) || refusals === 0) return reply;
      refusals -= 1;
      return { ...reply, status: 404, body: '{"message":"Not found"}' };
    },
  });
  const row = await upload();
  expect(row).toMatchObject({ state: 'complete', error: null });
  expect(await itemsNow()).toEqual([row?.mediaId]);
  expect(refusals).toBe(0);
});
