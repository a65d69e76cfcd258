// “watch run” as a separate process against the real service: what a station reports when it can't send, save or read.
import { unlinkSync, writeFileSync } from 'node:fs';
import { cp, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { Site } from '../../../shared/contract/sites.ts';
import type { UploadRow } from '../../../shared/contract/uploads.ts';
import type { WatchedFolder } from '../../../shared/contract/watch.ts';
import { type CliRun, runCli, startCli } from '../../helpers/cli/cli.ts';
import { type CliProfile, openCliProfile, PASSPHRASE_ENV } from '../../helpers/cli/cli-profile.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';
import { mayMount, mountSmallDisk, type SmallDisk } from '../../helpers/system/small-disk.ts';

const REFUSED = { kind: 'status', status: 400, body: { error: 'invalid_grant' } };

let service: ServiceProcess;
let account: CliProfile;
let inbox: string;

beforeAll(async () => {
  service = await startService({ seed: 'demo' });
});
afterAll(() => service?.stop());
beforeEach(async () => {
  account = await openCliProfile(service);
  inbox = join(account.folder, 'inbox');
  await mkdir(inbox);
  const added = await account.run('watch', 'add', inbox, '--collection', 'library', '--sweep', '10s');
  expect(added.code).toBe(0);
});
afterEach(async () => {
  await service.control('DELETE', '/faults');
  await account.close();
});

const refuseSignIns = () =>
  service.control('POST', '/faults', { path: '/oauth/access_token', times: null, action: REFUSED });

/** Resolves when the station has swept its folder. */
const whenSwept = (run: CliRun) => run.record<WatchedFolder>('watch', ({ lastSweepAt }) => lastSweepAt !== null);
const whenNoticed = (run: CliRun, code: string) => run.record<AppErrorData>('notice', (each) => each.code === code);
const whenComplete = (run: CliRun, name: string) =>
  run.record<UploadRow>('upload', ({ fileName, state }) => fileName === name && state === 'complete');

async function siteOf(profile: CliProfile): Promise<Site> {
  return (await profile.run('sites', '--json')).records[0]?.site as Site;
}

describe('a station that can’t use its sign-in', () => {
  it('ends with 3 and one line at the start when the library refuses the sign-in, and “sites” shows it', async () => {
    expect((await siteOf(account)).state).toBe('signed-in');
    await refuseSignIns();
    const { code, stderr, stdout } = await account.run('watch', 'run');
    expect(code).toBe(3);
    expect(stdout).toBe('');
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain(`You’re not signed in to ${new URL(service.baseUrl).host}`);
    expect(stderr).toContain('mediadesk sign-in');
    expect((await siteOf(account)).state).toBe('needs-sign-in');
    // A refusal that the library takes back does not need a new sign-in.
    await service.control('DELETE', '/faults');
    const run = account.start('watch', 'run', '--json');
    await whenSwept(run);
    run.child.kill('SIGTERM');
    expect((await run.ended).code).toBe(0);
    expect((await siteOf(account)).state).toBe('signed-in');
  });

  it('ends with 3 and one line while it runs when the library refuses the sign-in, and keeps the file', async () => {
    const run = account.start('watch', 'run');
    let text = '';
    await new Promise<void>((resolve) => {
      run.child.stdout?.on('data', (chunk: string) => {
        text += chunk;
        if (text.includes('watching')) resolve();
      });
    });
    await refuseSignIns();
    // The tokens of this run are no longer valid.
    await service.control('PATCH', '/settings', { clock_offset_ms: 100 * 60_000 });
    try {
      await writeFile(join(inbox, 'late.bin'), `late ${account.folder}`);
      const { code, stderr } = await run.ended;
      expect(code).toBe(3);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).toContain('You’re not signed in');
      const { records } = await account.run('queue', 'list', '--json');
      expect(records).toMatchObject([{ upload: { fileName: 'late.bin', state: 'queued' } }]);
    } finally {
      await service.control('PATCH', '/settings', { clock_offset_ms: 0 });
    }
  });

  it('ends with 1 and one line when the passphrase is wrong, and “sites” shows it', async () => {
    const wrong = { env: { MEDIADESK_PASSPHRASE: 'wrong horse' } };
    const { code, stderr } = await runCli(['watch', 'run', ...account.keys], wrong);
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain('The passphrase doesn’t match');
    const sites = await runCli(['sites', ...account.keys], wrong);
    expect(sites.stdout).toContain('sign-in can’t be read');
    expect(sites.stderr).toContain('The passphrase doesn’t match');
  });

  it('ends with 5 and the error when there is no keychain, so that a service manager starts it again', async () => {
    const env = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent', XDG_RUNTIME_DIR: account.folder };
    const { code, stderr, records } = await runCli(['watch', 'run', '--profile', account.profile, '--json'], { env });
    expect(code).toBe(5);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'keychain.unavailable' } });
    expect(records).toMatchObject([{ notice: { code: 'keychain.unavailable' } }]);
  });
});

describe('a station', () => {
  it('reports a library that does not answer at the start, and when it answers again', async () => {
    await service.control('POST', '/faults', { path: '/oauth/tokeninfo', times: null, action: { kind: 'lose-reply' } });
    const run = account.start('watch', 'run', '--json');
    await run.record<AppErrorData>('notice', ({ code }) => code.startsWith('network.'));
    await whenSwept(run);
    await service.control('DELETE', '/faults');
    await writeFile(join(inbox, 'take.bin'), `take ${account.folder}`);
    await run.record<{ message: string }>('resolved', ({ message }) => message.includes('answers again'));
    await whenComplete(run, 'take.bin');
    run.child.kill('SIGTERM');
    expect(await run.ended).toMatchObject({ code: 0, stderr: '' });
  }, 600_000);

  it('keeps running until it is terminated when all of its folders are paused', async () => {
    expect((await account.run('watch', 'edit', inbox, '--pause')).code).toBe(0);
    const run = account.start('watch', 'run');
    await new Promise<void>((resolve) => {
      run.child.stderr?.on('data', (text: string) => {
        if (text.includes('All watched folders are paused')) resolve();
      });
    });
    // The event loop of a process without work is empty, so it would end by itself by now.
    await account.run('--version');
    expect(run.child.exitCode).toBeNull();
    run.child.kill('SIGTERM');
    expect((await run.ended).code).toBe(0);
  });

  it('reports a moved folder with the command that confirms its place, and the command works', async () => {
    const moved = join(account.folder, 'the new place');
    await rename(inbox, moved);
    const run = account.start('watch', 'run', '--json');
    const notice = await whenNoticed(run, 'watch.root-moved');
    expect(notice.message).toContain(moved);
    const command = `mediadesk watch edit ${inbox} --moved-to '${moved}'`;
    expect(notice.nextStep).toContain(command);
    run.child.kill('SIGTERM');
    expect((await run.ended).code).toBe(0);
    expect((await account.run('watch', 'edit', inbox, '--moved-to', moved)).code).toBe(0);
  });
});

describe.runIf(mayMount())('a station with its profile on a full disk', () => {
  let disk: SmallDisk;
  let profile: string;
  const run = (...args: string[]) =>
    startCli([...args, '--profile', profile, '--keychain', 'file'], { env: PASSPHRASE_ENV });

  beforeEach(async () => {
    disk = mountSmallDisk(8);
    profile = join(disk.path, 'profile');
    await cp(account.profile, profile, { recursive: true });
  });
  afterEach(() => disk.remove());

  /** Fills the disk to the last byte; returns the path of the filler. */
  function fill(): string {
    const filler = join(disk.path, 'filler');
    for (let bytes = 1 << 16; bytes >= 1; bytes = Math.floor(bytes / 4)) {
      try {
        for (;;) writeFileSync(filler, Buffer.alloc(bytes), { flag: 'a' });
      } catch (error) {
        expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
      }
    }
    return filler;
  }

  it('ends with 5 and keeps its queue, and takes the file that arrived meanwhile when there is space', async () => {
    const filler = fill();
    const { code, stderr } = await run('watch', 'run').ended;
    expect(code).toBe(5);
    expect(stderr).toContain('The drive with the profile folder is full');
    expect(stderr).not.toContain('damaged');
    await writeFile(join(inbox, 'meanwhile.bin'), `meanwhile ${account.folder}`);
    unlinkSync(filler);
    const station = run('watch', 'run', '--json');
    await whenComplete(station, 'meanwhile.bin');
    station.child.kill('SIGTERM');
    const ended = await station.ended;
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.records.filter((record) => 'notice' in record)).toEqual([]);
  }, 600_000);

  it('reports a disk that fills up while it runs, and takes the file that arrived when there is space', async () => {
    const station = run('watch', 'run', '--json');
    await whenSwept(station);
    const filler = fill();
    const names = Array.from({ length: 60 }, (_, index) => `take ${index} ${'x'.repeat(150)}.bin`);
    for (const name of names) await writeFile(join(inbox, name), `${name} ${account.folder}`);
    await whenNoticed(station, 'profile.store-failing');
    unlinkSync(filler);
    await station.record<{ subject: string }>('resolved', ({ subject }) => subject === 'store');
    for (const name of names) await whenComplete(station, name);
    station.child.kill('SIGTERM');
    expect(await station.ended).toMatchObject({ code: 0, stderr: '' });
  }, 600_000);
});
