import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../shared/model/default-settings.ts';
import { createTestProfile, type TestProfile } from '../../helpers/engine/engine-host.ts';

let profile: TestProfile;
beforeEach(async () => {
  profile = createTestProfile({ admin: { email_address: 'nobody@example.org', password: 'x' } });
  await (await profile.open()).stop();
});
afterEach(() => profile.remove());

function damage(sql: string): void {
  const database = new DatabaseSync(join(profile.dir, 'queue.db'));
  database.exec(sql);
  database.close();
}

describe('the engine', () => {
  it('starts with default settings when the stored ones cannot be read, and stores new ones', async () => {
    damage(`INSERT INTO settings VALUES ('settings', '{"limitBytesPer')`);
    const engine = await profile.open();
    expect(await engine.call('settings.get', null)).toEqual(DEFAULT_SETTINGS);
    await engine.call('settings.set', { patch: { parallelTransfers: 3 } });
    await engine.stop();
    const again = await profile.open();
    expect(await again.call('settings.get', null)).toMatchObject({ parallelTransfers: 3 });
    await again.stop();
  });

  it('releases the profile when its start fails', async () => {
    const signals = {
      onDidComeBack: () => {
        throw new Error('there is no session bus');
      },
    };
    await expect(profile.open({ signals })).rejects.toThrow('there is no session bus');
    const engine = await profile.open();
    expect(await engine.call('sites.list', null)).toEqual([]);
    await engine.stop();
  });
});
