// What an account can do with an item, before it tries: every permission of the real service, and the time for own items.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createTestProfile, signInEngine } from '../../../helpers/engine/engine-host.ts';
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

async function openAs(who: 'admin' | 'editor' | 'producer' | 'viewer') {
  const email_address = `${who}@library.example`;
  const profile = createTestProfile({ admin: { ...service.admin, email_address } });
  const engine = await profile.open();
  onTestFinished(async () => {
    await engine.stop();
    profile.remove();
  });
  const siteId = await signInEngine(engine, service);
  const rightsOf = async (mediaId: string) => {
    const { edit, publish, delete: remove, ownUntil } = await engine.call('library.rights', { siteId, mediaId });
    return { edit: edit?.code ?? null, publish: publish?.code ?? null, delete: remove?.code ?? null, ownUntil };
  };
  return { siteId, engine, rightsOf };
}

const ALL = { edit: null, publish: null, delete: null, ownUntil: null };

describe('the rights of an account', () => {
  it('are everything for an administrator', async () => {
    const { rightsOf } = await openAs('admin');
    expect(await rightsOf(idOf(await admin.createItem('Any')))).toEqual(ALL);
  });

  it('name what a viewer lacks, and the write is refused with the same code', async () => {
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

  it('are not known, and so forbid nothing, when the account may not read them', async () => {
    const { rightsOf } = await openAs('viewer');
    const mediaId = idOf(await admin.createItem('Unknown rights'));
    await admin.post(`/api2/media/${mediaId}/publish`, {});
    await service.control('POST', '/faults', {
      ...{ method: 'GET', path: '/api2/memberships/calculate-roles-perms', times: 1 },
      action: { kind: 'status', status: 403, body: { message: 'No.' } },
    });
    expect(await rightsOf(mediaId)).toEqual(ALL);
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

  it('reports a size that the library refuses at its field', async () => {
    const { engine, siteId } = await openAs('admin');
    const mediaId = idOf(await admin.createItem('Too large'));
    await expect(engine.call('library.embedCode', { siteId, mediaId, width: 10_001, height: 1 })).rejects.toMatchObject(
      {
        code: 'api.invalid',
        details: { errors: [expect.stringMatching(/^width/)] },
      },
    );
  });
});
