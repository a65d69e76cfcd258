// The command line as a separate process against the real service: watched folders from adding to a station that is stopped.
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { UploadRow } from '../../../shared/contract/uploads.ts';
import type { WatchedFolder, WatchPreview } from '../../../shared/contract/watch.ts';
import { runCli, sealAtLowCost, signInCli, startCli } from '../../helpers/cli/cli.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';

const PHRASE = { MEDIADESK_PASSPHRASE: 'correct horse' };

let service: ServiceProcess;
let folder: string;
let inbox: string;
let profile: string;

beforeAll(async () => {
  service = await startService({ seed: 'demo' });
});
afterAll(() => service?.stop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mediadesk-watch-'));
  profile = join(folder, 'profile');
  inbox = join(folder, 'inbox');
  await mkdir(inbox);
  await sealAtLowCost(profile, PHRASE.MEDIADESK_PASSPHRASE);
  expect((await signInCli(service, keys(), 'approve', { env: PHRASE })).code).toBe(0);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const keys = () => ['--profile', profile, '--keychain', 'file'];
const cli = (...args: string[]) => runCli([...args, ...keys()], { env: PHRASE });

describe('mediadesk watch', () => {
  it('uploads what arrives while it runs, and ends cleanly when it is terminated', async () => {
    const added = await cli(
      'watch',
      'add',
      inbox,
      '--collection',
      'library',
      '--tags',
      'station',
      '--sweep',
      '10s',
      '--json',
    );
    expect({ code: added.code, stderr: added.stderr }).toEqual({ code: 0, stderr: '' });
    const run = startCli(['watch', 'run', '--json', ...keys()], { env: PHRASE });
    await run.record<WatchedFolder>('watch', ({ lastSweepAt }) => lastSweepAt !== null);
    await writeFile(join(inbox, 'take.bin'), `a recording of ${folder}`);
    const upload = await run.record<UploadRow>('upload', ({ state }) => state === 'complete');
    expect(upload).toMatchObject({ fileName: 'take.bin', collectionName: 'Library' });
    await run.record<WatchedFolder>('watch', ({ counts }) => counts.done === 1);
    run.child.kill('SIGTERM');
    expect(await run.ended).toMatchObject({ code: 0, stderr: '' });
    const list = await cli('watch', 'list', '--json');
    expect(list.records).toMatchObject([{ watch: { root: inbox, state: 'off', counts: { done: 1, settling: 0 } } }]);
  });

  it('previews each file with the condition that decides, and changes nothing', async () => {
    await writeFile(join(inbox, 'take.bin'), 'a recording');
    await writeFile(join(inbox, 'notes.txt'), 'notes');
    const preview = await cli('watch', 'preview', inbox, '--collection', 'library', '--include', '*.bin', '--json');
    const files = preview.records.flatMap(({ previewed }) => (previewed as WatchPreview['files'][number]) ?? []);
    expect(files.map(({ path, verdict }) => [path, verdict.kind, verdict.clause])).toEqual([
      ['notes.txt', 'skip', { kind: 'not-included' }],
      ['take.bin', 'upload', { kind: 'include', glob: '*.bin' }],
    ]);
    expect((await cli('watch', 'list')).stdout).toBe('');
  });

  it('edits, pauses, follows and removes a folder', async () => {
    expect((await cli('watch', 'add', inbox, '--collection', 'library')).code).toBe(0);
    const edited = await cli(
      'watch',
      'edit',
      inbox,
      '--exclude',
      '*.tmp2',
      '--by-folder',
      'first',
      '--pause',
      '--json',
    );
    expect(edited.records[0]).toMatchObject({
      watch: {
        state: 'paused',
        rules: {
          defaults: {
            conditions: { exclude: ['*.tmp2'] },
            settings: { collection: { kind: 'by-folder', parent: { kind: 'ref', ref: 'library' }, create: false } },
          },
        },
      },
    });
    const moved = join(folder, 'elsewhere');
    await rename(inbox, moved);
    const followed = await cli('watch', 'edit', inbox, '--moved-to', moved, '--resume', '--json');
    expect(followed.records[0]).toMatchObject({ watch: { root: moved, state: 'off' } });
    expect((await cli('watch', 'remove', moved)).code).toBe(0);
    expect((await cli('watch', 'run')).code).toBe(1);
  });

  it('refuses options that are not valid, and folders that can’t be watched', async () => {
    expect((await cli('watch', 'add', inbox)).code).toBe(2);
    expect((await cli('watch', 'add', inbox, '--collection', 'library', '--min-age', 'soon')).code).toBe(2);
    expect((await cli('watch', 'add', inbox, '--collection', 'library', '--include', '[')).code).toBe(2);
    const missing = await cli('watch', 'add', join(folder, 'none'), '--collection', 'library', '--json');
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('watch.root-missing');
    expect((await cli('watch', 'remove', inbox)).code).toBe(1);
  });
});
