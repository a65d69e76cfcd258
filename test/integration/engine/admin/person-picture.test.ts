// The picture of a user of a real library, set and shown by an administrator.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../../../electron/engine/engine.ts';
import { openEngineAs, openSharedEngineAs } from '../../../helpers/engine/library-people.ts';
import { effectsOf } from '../../../helpers/service/journal.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { make } from '../../../helpers/service/service-people.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { png } from '../../../helpers/service/service-samples.ts';

let service: ServiceProcess;
let engine: Engine;
let siteId: string;
let userId: string;
let profileDir: string;
let close: () => Promise<void>;

beforeAll(async () => {
  service = await startService();
  userId = (await make(await clientFor(service), 'users', { first_name: 'Ada', last_name: 'Crew' })).id;
  ({ engine, siteId, profileDir, close } = await openSharedEngineAs(service, 'admin'));
});
afterAll(async () => {
  await close();
  await service.stop();
});

const shown = async () => {
  const ref = { siteId, subject: 'users', id: userId, version: '', isStoredOnly: false } as const;
  return (await engine.thumbnail(ref, new AbortController().signal))?.bytes ?? null;
};
const set = (picture: { path: string } | { bytes: Uint8Array<ArrayBuffer>; name: string }) =>
  engine.call('admin.setPicture', { siteId, userId, picture });

describe('the picture of a user', () => {
  it('is shown once it is set, replaced by another one, and in the log', async () => {
    expect(await shown()).toBeNull();
    const [first, second] = [png(60, 60), png(62, 62)];
    const path = join(profileDir, 'face.png');
    writeFileSync(path, first);
    await set({ path });
    expect(await shown()).toEqual(first);
    await set({ bytes: new Uint8Array(second), name: 'another face.jpeg' });
    expect(await shown()).toEqual(second);
    const stored = (await effectsOf(service, 'thumb-stored')).filter(({ resource }) => resource === 'users');
    expect(stored.map(({ resource_id: id }) => String(id))).toEqual([userId, userId]);
    const { entries } = await engine.call('admin.log', { siteId, offset: 0, limit: 10 });
    expect(entries).toMatchObject([
      { action: 'setPicture', targetName: 'Ada Crew', outcome: 'done' },
      { action: 'setPicture', targetName: 'Ada Crew', outcome: 'done' },
    ]);
  });

  it('leaves no file on this computer', () => {
    const names = readdirSync(profileDir, { recursive: true, encoding: 'utf8' });
    expect(names.filter((name) => /outbox.+[.](png|jpg)$|thumbnails.+users/.test(name))).toEqual([]);
  });

  it('is refused when the file is no picture, and for other accounts', async () => {
    const notes = { bytes: new TextEncoder().encode('no picture'), name: 'notes.png' };
    await expect(set(notes)).rejects.toMatchObject({ code: 'thumbnail.not-a-picture' });
    const other = await openEngineAs(service, 'editor');
    const picture = { bytes: new Uint8Array(png(8, 8)), name: 'x.png' };
    const refused = other.engine.call('admin.setPicture', { siteId: other.siteId, userId, picture });
    await expect(refused).rejects.toMatchObject({ code: 'admin.only' });
  });
});
