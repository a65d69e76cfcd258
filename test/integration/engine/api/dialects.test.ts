import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outcomeOf } from '../../../../electron/engine/api/classify.ts';
import {
  createCollection,
  getCollection,
  getCollectionTree,
  listCollections,
  moveCollection,
  updateCollection,
} from '../../../../electron/engine/api/collections.ts';
import { finishUpload } from '../../../../electron/engine/api/completion.ts';
import { contentLocation, createFile, deleteFile, getFile, listFiles } from '../../../../electron/engine/api/files.ts';
import type { SiteClient } from '../../../../electron/engine/api/http-client.ts';
import {
  addTags,
  countMedia,
  createMedia,
  deleteMedia,
  getMedia,
  listMedia,
  publishMedia,
  removeTags,
  unpublishMedia,
  updateMedia,
} from '../../../../electron/engine/api/media.ts';
import type { AppError } from '../../../../shared/contract/app-error.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { signIn } from '../../../helpers/service/service-sign-in.ts';
import { clientOf } from './site-client.ts';

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe.each(['reference', 'lean', 'strict'] as const)('the client with a service of the dialect %s', (dialect) => {
  let service: ServiceProcess;
  const tokens: Record<string, string> = {};
  beforeAll(async () => {
    service = await startService({ dialect });
    for (const who of ['admin', 'viewer']) {
      tokens[who] = (await signIn(service, { email: `${who}@library.example` })).access_token;
    }
  });
  afterAll(() => service.stop());

  function as(who: 'admin' | 'viewer'): SiteClient {
    const token = tokens[who] ?? '';
    return clientOf(service.baseUrl, { tokens: { accessToken: async () => token, renew: async () => token } });
  }

  it('uploads a file and reads its bytes at the content address', async () => {
    const client = as('admin');
    const { id } = await createMedia(client, { title: 'Käse "1" 🎬', collection_id: '1', tags: ['a'] });
    const bytes = new TextEncoder().encode('some bytes of no known kind');
    const file = await createFile(client, id, {
      upload_name: 'käse.bin',
      upload_size: bytes.length,
      upload_type: 'blob',
    });
    const { descriptor } = file;
    if (descriptor === null) throw new Error('no descriptor');
    const form = new FormData();
    for (const [name, value] of descriptor.upload_post_params) form.set(name, value);
    form.set(descriptor.upload_file_param, new Blob([bytes]), 'käse.bin');
    expect(
      (await fetch(descriptor.upload_url, { method: 'POST', body: form, redirect: 'manual' })).status,
    ).toBeLessThan(400);
    expect(descriptor.postprocess_url === null).toBe(dialect === 'lean');
    if (descriptor.postprocess_url !== null) await finishUpload(client, descriptor.postprocess_url);
    await expect.poll(async () => (await getFile(client, id, file.id)).status, { timeout: 60_000 }).toBe('complete');
    expect((await all(listFiles(client, id))).map((one) => [one.id, one.size])).toEqual([[file.id, bytes.length]]);
    const received = await (await fetch(await contentLocation(client, id, file.id, 60))).arrayBuffer();
    const hash = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');
    expect(hash(new Uint8Array(received))).toBe(hash(bytes));
    await deleteFile(client, id, file.id);
    expect(await all(listFiles(client, id))).toEqual([]);
  });

  it('changes every property of a media item', async () => {
    const client = as('admin');
    const { id } = await createMedia(client, { title: 'One', collection_id: '1' });
    await updateMedia(client, id, { title: 'Two', byline: 'Ada', description: '<p>x</p>' });
    await addTags(client, id, ['a', 'b']);
    await removeTags(client, id, ['a']);
    expect(await getMedia(client, id)).toMatchObject({ title: 'Two', byline: 'Ada', tags: ['b'] });
    await publishMedia(client, id, { publish_on: '2040-01-01T00:00:00Z' });
    expect(await getMedia(client, id)).toMatchObject({ status: 'scheduled', publish_on: '2040-01-01T00:00:00Z' });
    await unpublishMedia(client, id);
    expect((await getMedia(client, id)).status).toBe('draft');
    await publishMedia(client, id);
    expect((await getMedia(client, id)).status).toBe('published');
    await deleteMedia(client, id);
    await deleteMedia(client, id);
    await expect(getMedia(client, id)).rejects.toMatchObject({ code: 'api.not-found' });
  });

  it('lists as many items over several pages as the count says', async () => {
    const client = as('admin');
    const { id } = await createCollection(client, { display_name: 'Pages', parent_id: '1' });
    const made: string[] = [];
    for (let n = 0; n < 23; n++) made.push((await createMedia(client, { title: `T${n}`, collection_id: id })).id);
    const query = { collection_id: id, sort: 'created_on', order: 'asc', per_page: 10 } as const;
    expect((await all(listMedia(client, query))).map((item) => item.id).sort()).toEqual(made.sort());
    expect(await countMedia(client, { collection_id: id })).toBe(23);
  });

  it('creates, changes and moves collections', async () => {
    const client = as('admin');
    const { id } = await createCollection(client, { display_name: 'A', parent_id: '1' });
    const { id: other } = await createCollection(client, { display_name: 'B', parent_id: '1', is_podcast: true });
    await updateCollection(client, id, { display_name: 'A2', description: '<p>x</p>' });
    await moveCollection(client, id, other);
    expect(await getCollection(client, id)).toMatchObject({ display_name: 'A2', parent_id: other });
    const tree = await getCollectionTree(client, { media_count: 'all' });
    expect(tree.find((node) => node.id === other)).toMatchObject({ is_podcast: true, media_count: 0 });
    expect(tree.find((node) => node.id === id)).toMatchObject({ parent_id: other, display_name: 'A2' });
    expect((await all(listCollections(client))).map((one) => one.id)).toEqual(expect.arrayContaining([id, other, '1']));
    await expect(moveCollection(client, other, id)).rejects.toMatchObject({
      code: expect.stringMatching(/^api\.(forbidden|not-found)$/),
    });
    const taken = createCollection(client, {
      display_name: 'C',
      parent_id: '1',
      slug: (await getCollection(client, id)).slug,
    });
    await expect(taken).rejects.toMatchObject({ code: 'api.conflict' });
  });

  it('classifies a missing permission, a missing resource and an invalid value', async () => {
    const { id } = await createMedia(as('admin'), { title: 'Seen', collection_id: '1' });
    await publishMedia(as('admin'), id);
    const denied = await updateMedia(as('viewer'), id, { title: 'x' }).catch((error: AppError) => error);
    expect(denied).toMatchObject({ code: dialect === 'lean' ? 'api.not-found' : 'api.forbidden' });
    await expect(getMedia(as('admin'), '999999')).rejects.toMatchObject({ code: 'api.not-found' });
    const invalid = await createMedia(as('admin'), { title: '', collection_id: '1' }).catch((error: AppError) => error);
    expect(invalid).toMatchObject({
      code: 'api.invalid',
      details: { errors: [{ field: 'title', message: expect.any(String) }] },
    });
    expect(outcomeOf(invalid as AppError)).toBe('refused');
    expect(String((denied as AppError).details?.message ?? '')).not.toMatch(/[<>]/);
  });

  it('classifies maintenance, in which reads continue', async () => {
    await service.control('PATCH', '/settings', { read_only: true });
    await expect(createMedia(as('admin'), { title: 'x', collection_id: '1' })).rejects.toMatchObject({
      code: 'api.read-only',
    });
    expect(await countMedia(as('admin'), {})).toBeGreaterThanOrEqual(0);
    await service.control('PATCH', '/settings', { read_only: false });
  });

  it('leaves the result of a creation undecided when its reply is lost, and sends it once', async () => {
    const before = await countMedia(as('admin'), {});
    await service.control('POST', '/faults', { method: 'POST', path: '^/api2/media$', action: { kind: 'lose-reply' } });
    const error = await createMedia(as('admin'), { title: 'Lost', collection_id: '1' }).catch(
      (thrown: AppError) => thrown,
    );
    expect(outcomeOf(error as AppError)).toBe('unknown');
    expect(await countMedia(as('admin'), {})).toBe(before + 1);
  });
});
