import { readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { deskTest } from '../../helpers/engine/desk.ts';

const it = deskTest();

/** Returns the files below a folder that this process has open; Linux only. */
function openFilesBelow(folder: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      // Closed since the folder was listed.
      return [];
    }
  });
}

describe.runIf(process.platform === 'linux')('a start of the engine that fails after its parts were opened', () => {
  it('keeps no file of the profile open and no subscription, and a later start succeeds', async ({ desk }) => {
    const { dir } = desk.profile;
    await desk.engine.call('library.syncNow', { siteId: desk.siteId });
    expect(openFilesBelow(join(dir, 'mirror'))).not.toEqual([]);
    const obstacle = join(dir, 'outbox');
    writeFileSync(obstacle, 'a file in place of the folder');
    let subscriptions = 0;
    const signals = {
      onDidComeBack() {
        subscriptions += 1;
        return () => {
          subscriptions -= 1;
        };
      },
    };

    await expect(desk.reopen({ signals })).rejects.toMatchObject({ code: 'ENOTDIR' });
    expect([openFilesBelow(dir), subscriptions]).toEqual([[], 0]);

    rmSync(obstacle);
    const engine = await desk.reopen({ signals });
    expect(subscriptions).toBe(1);
    expect(await engine.call('library.syncStatus', { siteId: desk.siteId })).toMatchObject({ phase: 'ready' });
  });
});
