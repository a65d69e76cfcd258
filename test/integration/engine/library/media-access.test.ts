// The actions that an account may use on an item, before it tries them: every permission of the real service, and the time for
// own items.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallOutput } from '../../../../shared/contract/contract.ts';
import type { EditSelection } from '../../../../shared/contract/edits.ts';
import { type ItemPlace, mediaQuerySchema } from '../../../../shared/contract/library.ts';
import { openEngineAs, type SeededPerson } from '../../../helpers/engine/library-people.ts';
import { requestsOf } from '../../../helpers/service/journal.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';

let service: ServiceProcess;
let admin: ServiceClient;
beforeAll(async () => {
  service = await startService();
  admin = await clientFor(service);
});
afterAll(() => service.stop());

const idOf = (path: string) => path.split('/').at(-1) ?? '';

async function openAs(who: SeededPerson) {
  const { engine, siteId } = await openEngineAs(service, who);
  const rightsOf = async (mediaId: string) => {
    const { edit, publish, delete: remove, ownUntil } = await engine.call('library.rights', { siteId, mediaId });
    return { edit: edit?.code ?? null, publish: publish?.code ?? null, delete: remove?.code ?? null, ownUntil };
  };
  const codes = (rights: CallOutput<'library.rightsOf'>) =>
    [rights.edit, rights.publish, rights.delete].map((each) => each?.code ?? null);
  const rightsOfAll = async (items: ItemPlace[]) => codes(await engine.call('library.rightsOf', { siteId, items }));
  const rightsOfSelection = async (selection: EditSelection) =>
    codes(await engine.call('library.rightsOf', { selection }));
  return { siteId, engine, rightsOf, rightsOfAll, rightsOfSelection };
}

const ALL = { edit: null, publish: null, delete: null, ownUntil: null };

describe('the rights of an account', () => {
  it('to a selection are read from its items: from the copy, and from the library without a copy', async () => {
    const { engine, siteId, rightsOfSelection } = await openAs('viewer');
    for (const title of ['One', 'Two']) {
      await admin.post(`/api2/media/${idOf(await admin.createItem(title))}/publish`, {});
    }
    const all = { siteId, query: mediaQuerySchema.parse({ siteId, collectionId: null }), except: [] };
    const none = ['edit.needs-update', 'edit.needs-publish', 'edit.needs-delete'];
    expect(await rightsOfSelection(all)).toEqual(none);
    await engine.call('library.syncNow', { siteId });
    expect(await rightsOfSelection(all)).toEqual(none);
    const { ids } = await engine.call('library.mediaIds', { query: all.query });
    expect(await rightsOfSelection({ siteId, ids })).toEqual(none);
    const administrator = await openAs('admin');
    expect(
      await administrator.rightsOfSelection({
        ...all,
        siteId: administrator.siteId,
        query: { ...all.query, siteId: administrator.siteId },
      }),
    ).toEqual([null, null, null]);
  });

  it('to add items name the missing permission, and are unknown for a collection that is not in the library yet', async () => {
    const { engine, siteId } = await openAs('viewer');
    const [top] = await engine.call('library.collections', { siteId, parentId: null });
    const collectionId = top?.id ?? '';
    expect(await engine.call('library.rightToAdd', { siteId, collectionId })).toMatchObject({
      code: 'upload.needs-create',
    });
    expect(await engine.call('library.rightToAdd', { siteId, collectionId: 'local:1' })).toBeNull();
    const other = await openAs('admin');
    expect(await other.engine.call('library.rightToAdd', { siteId: other.siteId, collectionId })).toBeNull();
  });

  it('are complete for an administrator', async () => {
    const { rightsOf } = await openAs('admin');
    expect(await rightsOf(idOf(await admin.createItem('Any')))).toEqual(ALL);
  });

  it('name the missing permission of a viewer, and a write is refused with the same code', async () => {
    const { rightsOf, engine, siteId } = await openAs('viewer');
    const mediaId = idOf(await admin.createItem('Public'));
    await admin.post(`/api2/media/${mediaId}/publish`, {});
    expect(await rightsOf(mediaId)).toEqual({
      edit: 'edit.needs-update',
      publish: 'edit.needs-publish',
      delete: 'edit.needs-delete',
      ownUntil: null,
    });
    await expect(engine.call('library.updateMedia', { siteId, mediaId, patch: { title: 'x' } })).rejects.toMatchObject({
      code: 'edit.needs-update',
      details: { permission: 'media-update' },
    });
    await expect(
      engine.call('library.publishMedia', { siteId, mediaId, publishOn: '2040-01-01T00:00:00Z' }),
    ).rejects.toMatchObject({ code: 'edit.needs-publish' });
    await expect(engine.call('library.deleteMedia', { siteId, mediaId })).rejects.toMatchObject({
      code: 'edit.needs-delete',
    });
  });

  it('end for a producer’s own item three hours after its creation, or when it is published', async () => {
    const { rightsOf, engine, siteId } = await openAs('producer');
    const own = await clientFor(service, 'producer');
    const mediaId = idOf(await own.createItem('Own'));
    const { body } = await own.get(`/api2/media/${mediaId}`);
    const { ownUntil, edit } = await rightsOf(mediaId);
    expect(edit).toBeNull();
    expect(ownUntil).toBe(Date.parse(body.created_on) + 3 * 3_600_000);
    await admin.post(`/api2/media/${mediaId}/publish`, {});
    await engine.call('library.media', { siteId, mediaId });
    expect(await rightsOf(mediaId)).toMatchObject({
      edit: 'edit.window-over',
      delete: 'edit.window-over',
      ownUntil: null,
    });
    await expect(engine.call('library.updateMedia', { siteId, mediaId, patch: { title: 'x' } })).rejects.toMatchObject({
      code: 'edit.window-over',
    });
  });

  it('are unknown, and forbid nothing, when the account may not read them', async () => {
    const { rightsOf } = await openAs('viewer');
    const mediaId = idOf(await admin.createItem('Unknown rights'));
    await admin.post(`/api2/media/${mediaId}/publish`, {});
    await service.control('POST', '/faults', {
      method: 'GET',
      path: '/api2/memberships/calculate-roles-perms',
      times: 1,
      action: { kind: 'status', status: 403, body: { message: 'No.' } },
    });
    expect(await rightsOf(mediaId)).toEqual(ALL);
  });
});

describe('the rights to several items', () => {
  const place = (collectionId: string, createdOn: string | null, status = 'draft') => ({
    collectionId,
    createdOn,
    status,
  });
  const ALLOWED = [null, null, null];
  const REFUSED = ['edit.needs-update', 'edit.needs-publish', 'edit.needs-delete'];

  it('forbid a command only if the account may apply it to none of the items', async () => {
    const { rightsOfAll } = await openAs('producer');
    const now = new Date().toISOString();
    const old = '2020-01-01T00:00:00Z';
    expect(await rightsOfAll([place('1', old)])).toEqual(['edit.window-over', null, 'edit.window-over']);
    expect(await rightsOfAll([place('1', old), place('1', now)])).toEqual(ALLOWED);
    expect(await rightsOfAll([place('1', now, 'published')])).toEqual([
      ...['edit.window-over', null, 'edit.window-over'],
    ]);
  });

  it('don’t end for an item of an unknown age', async () => {
    const { rightsOfAll } = await openAs('producer');
    expect(await rightsOfAll([place('1', null)])).toEqual(ALLOWED);
  });

  it('name the missing permissions of a viewer, and are read again when the caller requests it', async () => {
    const { rightsOfAll, engine, siteId } = await openAs('viewer');
    expect(await rightsOfAll([place('1', null)])).toEqual(REFUSED);
    const mediaId = idOf(await admin.createItem('Asked twice'));
    await admin.post(`/api2/media/${mediaId}/publish`, {});
    const reads = async () => (await requestsOf(service, 'GET', /^\/api2\/memberships\/calculate/)).length;
    const before = await reads();
    await engine.call('library.rights', { siteId, mediaId });
    expect(await reads()).toBe(before);
    await engine.call('library.rights', { siteId, mediaId, isFresh: true });
    expect(await reads()).toBe(before + 1);
  });

  it('forbid nothing when the library refuses to report them, and are read again the next time', async () => {
    const { rightsOfAll } = await openAs('viewer');
    await service.control('POST', '/faults', {
      method: 'GET',
      path: '/api2/memberships/calculate-roles-perms',
      times: 1,
      action: { kind: 'status', status: 403, body: { message: 'No.' } },
    });
    expect(await rightsOfAll([place('1', null)])).toEqual(ALLOWED);
    expect(await rightsOfAll([place('1', null)])).toEqual(REFUSED);
  });
});

describe('embed code', () => {
  it('has the requested size and the address of the player', async () => {
    const { engine, siteId } = await openAs('admin');
    const mediaId = idOf(await admin.createItem('Embedded'));
    const { html, url } = await engine.call('library.embedCode', { siteId, mediaId, width: 640, height: 360 });
    expect(html).toContain('width="640" height="360"');
    expect(html).toContain(url);
  });

  it('is refused with the name of the field when the library refuses a size', async () => {
    const { engine, siteId } = await openAs('admin');
    const mediaId = idOf(await admin.createItem('Too large'));
    await expect(engine.call('library.embedCode', { siteId, mediaId, width: 10_001, height: 1 })).rejects.toMatchObject(
      {
        code: 'api.invalid',
        details: { errors: [expect.objectContaining({ field: 'width' })] },
      },
    );
  });
});
