// Commands that read a profile while a station works on it: as separate processes, against the real service.
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { Receipt, UploadRow } from '../../../shared/contract/uploads.ts';
import type { WatchedFolder } from '../../../shared/contract/watch.ts';
import type { CliRun } from '../../helpers/cli/cli.ts';
import { type CliProfile, openCliProfile } from '../../helpers/cli/cli-profile.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';

let service: ServiceProcess;
let account: CliProfile;
let inbox: string;
let station: CliRun;

beforeAll(async () => {
  service = await startService({ seed: 'demo' });
});
afterAll(() => service?.stop());
beforeEach(async () => {
  account = await openCliProfile(service);
  inbox = join(account.folder, 'inbox');
  await mkdir(inbox);
  expect((await account.run('watch', 'add', inbox, '--collection', 'library', '--sweep', '10s')).code).toBe(0);
  station = account.start('watch', 'run', '--json');
  await station.record<WatchedFolder>('watch', ({ lastSweepAt }) => lastSweepAt !== null);
});
afterEach(async () => {
  station.child.kill('SIGTERM');
  await station.ended;
  await account.close();
});

/** Returns the names of everything in the profile, and of the copies of queues in the folder for temporary files. */
async function filesAround(): Promise<string[]> {
  const copies = (await readdir(tmpdir())).filter((name) => name.startsWith('mediadesk-copy-'));
  return [...(await readdir(account.profile)).sort(), ...copies];
}

describe('beside a running station', () => {
  it('lists, receipts, accounts and settings are read, and nothing in the profile is added or left behind', async () => {
    await writeFile(join(inbox, 'take.bin'), `take ${account.folder}`);
    await station.record<UploadRow>('upload', ({ state }) => state === 'complete');
    await station.record<WatchedFolder>('watch', ({ counts }) => counts.done === 1);
    const before = await filesAround();
    const folders = await account.run('watch', 'list', '--json');
    expect(folders).toMatchObject({ code: 0, stderr: '' });
    expect(folders.records).toMatchObject([{ watch: { root: inbox, state: 'watching', counts: { done: 1 } } }]);
    const queue = await account.run('queue', 'list', '--json');
    expect(queue.records).toMatchObject([{ upload: { fileName: 'take.bin', state: 'complete' } }]);
    const receipt = JSON.parse((await account.run('receipt', '--json')).stdout) as Receipt;
    expect(receipt.totals).toMatchObject({ added: 1, complete: 1 });
    expect((await account.run('receipts', 'search', 'take')).code).toBe(0);
    expect((await account.run('sites', '--json')).records).toMatchObject([{ site: { state: 'signed-in' } }]);
    expect((await account.run('settings', '--json')).records).toMatchObject([{ settings: { parallelTransfers: 4 } }]);
    expect((await account.run('edits', 'list', '--json')).code).toBe(0);
    expect(await filesAround()).toEqual(before);
  }, 600_000);

  it('“watch list” shows a folder that the station reports as moved', async () => {
    const moved = join(account.folder, 'moved');
    await rename(inbox, moved);
    await station.record<AppErrorData>('notice', ({ code }) => code === 'watch.root-moved');
    const { records } = await account.run('watch', 'list', '--json');
    expect(records).toMatchObject([{ watch: { state: 'moved', movedTo: moved } }]);
  }, 600_000);

  it('a command that changes the profile is refused with exit code 4', async () => {
    expect((await account.run('settings', 'parallel=2')).code).toBe(4);
    expect((await account.run('watch', 'edit', inbox, '--pause')).code).toBe(4);
    expect((await account.run('queue', 'pause')).code).toBe(4);
  }, 600_000);
});

describe('after the station ended', () => {
  it('“watch list” shows the folders as not running', async () => {
    station.child.kill('SIGTERM');
    await station.ended;
    expect((await account.run('watch', 'list', '--json')).records).toMatchObject([{ watch: { state: 'off' } }]);
  });
});
