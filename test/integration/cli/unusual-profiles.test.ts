// Profiles with links, pipes, devices and files of other users, with the command line as a separate process.
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, linkSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../../helpers/cli/cli.ts';
import { errorOf } from '../../helpers/cli/cli-profile.ts';

const NOT_ROOT = 12_345;

describe.runIf(process.platform === 'linux')('a profile', () => {
  let folder: string;
  let profile: string;
  const list = (path = profile) => runCli(['queue', 'list', '--profile', path, '--keychain', 'memory', '--json']);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mediadesk-unusual-'));
    profile = join(folder, 'profile');
    mkdirSync(profile);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it.for(['profile.lock', 'queue.db', 'queue.db-wal', 'queue.rows', 'queue.edits'])(
    'is refused, and the target of a link keeps its contents and mode, when %s is a link',
    async (name) => {
      const target = join(folder, 'precious.txt');
      writeFileSync(target, 'precious\n'.repeat(200));
      chmodSync(target, 0o644);
      symlinkSync(target, join(profile, name));
      const result = await list();
      expect(result.code).toBe(1);
      expect(errorOf(result)).toMatchObject({
        code: 'profile.not-own',
        details: { path: join(profile, name), reason: 'it’s a link' },
      });
      expect(readFileSync(target, 'utf8')).toBe('precious\n'.repeat(200));
      expect(statSync(target).mode & 0o777).toBe(0o644);
    },
  );

  it('is refused when its lock is a hard link to another file', async () => {
    const target = join(folder, 'precious.txt');
    writeFileSync(target, 'precious');
    linkSync(target, join(profile, 'profile.lock'));
    expect(errorOf(await list()).code).toBe('profile.not-own');
    expect(readFileSync(target, 'utf8')).toBe('precious');
  });

  it.for(['profile.lock', 'queue.db', 'queue.rows', 'sign-ins.sealed'])(
    'is refused without waiting when %s is a pipe, also by “doctor”',
    async (name) => {
      execFileSync('mkfifo', [join(profile, name)]);
      expect(errorOf(await list())).toMatchObject({ code: 'profile.not-own', details: { reason: 'it isn’t a file' } });
      const doctor = await runCli(['doctor', '--profile', profile, '--keychain', 'memory', '--json']);
      expect(errorOf(doctor).code).toBe('profile.not-own');
    },
  );

  it('is refused without waiting when its path is a device, a file, or below /proc', async () => {
    writeFileSync(join(folder, 'file'), '');
    expect(errorOf(await list('/dev/null')).code).toBe('profile.not-own');
    expect(errorOf(await list(join(folder, 'file'))).code).toBe('profile.not-own');
    expect(errorOf(await list('/proc/x'))).toMatchObject({ code: 'profile.unwritable', details: { reason: 'ENOENT' } });
  });

  it.runIf(process.getuid?.() === 0)('is refused when it, or a file in it, belongs to another user', async () => {
    expect((await list()).code).toBe(0);
    chownSync(join(profile, 'queue.db'), NOT_ROOT, NOT_ROOT);
    expect(errorOf(await list())).toMatchObject({
      code: 'profile.not-own',
      details: { path: join(profile, 'queue.db') },
    });
    chownSync(join(profile, 'queue.db'), 0, 0);
    chownSync(profile, NOT_ROOT, NOT_ROOT);
    expect(errorOf(await list())).toMatchObject({ code: 'profile.not-own', details: { path: profile } });
  });

  it('is used through a link to its folder', async () => {
    const link = join(folder, 'link');
    symlinkSync(profile, link);
    expect((await list(link)).code).toBe(0);
  });
});
