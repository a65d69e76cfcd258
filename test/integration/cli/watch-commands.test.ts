// The command line as a separate process against the real service: watched folders, from “watch add” to the end of “watch run”.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AppErrorData, appError } from '../../../shared/contract/app-error.ts';
import type { Site } from '../../../shared/contract/sites.ts';
import type { UploadRow } from '../../../shared/contract/uploads.ts';
import type { WatchedFolder, WatchPreview } from '../../../shared/contract/watch.ts';
import type { WatchRules } from '../../../shared/contract/watch-rules.ts';
import { signInCli } from '../../helpers/cli/cli.ts';
import { type CliProfile, openCliProfile, PASSPHRASE_ENV } from '../../helpers/cli/cli-profile.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';

let service: ServiceProcess;
let account: CliProfile;
let folder: string;
let inbox: string;
let profile: string;

beforeAll(async () => {
  service = await startService({ seed: 'demo' });
});
afterAll(() => service?.stop());
beforeEach(async () => {
  account = await openCliProfile(service);
  ({ folder, profile } = account);
  inbox = join(folder, 'inbox');
  await mkdir(inbox);
});
afterEach(() => account.close());

const cli = (...args: string[]) => account.run(...args);

/** Adds a rule, as the window does, to the only folder of the profile. */
function addRule(rule: WatchRules['rules'][number]): void {
  const database = new DatabaseSync(join(profile, 'queue.db'));
  const { rules } = database.prepare('SELECT rules FROM watched_folders').get() as { rules: string };
  const changed = { ...(JSON.parse(rules) as WatchRules), rules: [rule] };
  database.prepare('UPDATE watched_folders SET rules = ?').run(JSON.stringify(changed));
  database.close();
}

/** Brings the only file of the profile into the state in which five minutes without a change leave an incomplete one. */
function passFiveMinutes(): void {
  const reason = appError('watch.incomplete', { details: { reason: 'end-missing' } }).toData();
  const database = new DatabaseSync(join(profile, 'queue.db'));
  database.prepare("UPDATE watched_files SET state = 'incomplete', reason = ?").run(JSON.stringify(reason));
  database.close();
}

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
    const run = account.start('watch', 'run', '--json');
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

  it('lists incomplete files with the reason, and uploads them when told to', async () => {
    await writeFile(join(inbox, 'talk.pdf'), `%PDF-1.7 without an end ${folder}`);
    expect((await cli('watch', 'add', inbox, '--collection', 'library')).code).toBe(0);
    const first = account.start('watch', 'run', '--json');
    await first.record<WatchedFolder>(
      'watch',
      ({ lastSweepAt, counts }) => lastSweepAt !== null && counts.settling === 1,
    );
    first.child.kill('SIGTERM');
    await first.ended;
    passFiveMinutes();
    const list = await cli('watch', 'list');
    expect(list.stdout).toContain('1 incomplete');
    expect(list.stdout).toContain('talk.pdf (');
    expect(list.stdout).toContain('The recording is incomplete: its program may have stopped too early.');
    expect((await cli('watch', 'list', '--json')).records[1]).toMatchObject({
      watchedFile: { path: 'talk.pdf', state: 'incomplete', reason: { code: 'watch.incomplete' } },
    });
    const unknown = await cli('watch', 'upload', join(inbox, 'talk.pdf'), join(inbox, 'none.pdf'), '--json');
    expect({ code: unknown.code, isNamed: unknown.stderr.includes('none.pdf') }).toEqual({ code: 1, isNamed: true });
    expect((await cli('watch', 'list')).stdout).toContain('1 incomplete');
    const forced = await cli('watch', 'upload', join(inbox, 'talk.pdf'), '--json');
    expect(forced).toMatchObject({ code: 0, records: [{ watchedFile: { path: 'talk.pdf', state: 'settling' } }] });
    const second = account.start('watch', 'run', '--json');
    const upload = await second.record<UploadRow>('upload', ({ sha256 }) => sha256 !== null);
    expect(upload).toMatchObject({ fileName: 'talk.pdf' });
    second.child.kill('SIGTERM');
    expect((await second.ended).code).toBe(0);
    const again = await cli('watch', 'upload', join(inbox, 'talk.pdf'));
    expect(again.stdout).toContain('talk.pdf: not changed');
  }, 600_000);

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

  it('edits and pauses a folder, follows it to its new path, and removes it', async () => {
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

  it('runs while one of the accounts it needs is signed in and names the others, and exits with 3 when none is', async () => {
    const other = await startService({ seed: 'demo' });
    try {
      expect((await signInCli(other, account.keys, 'approve', { env: PASSPHRASE_ENV })).code).toBe(0);
      const add = await cli('watch', 'add', inbox, '--collection', 'library', '--site', service.baseUrl, '--json');
      expect(add.code).toBe(0);
      const { records } = await cli('sites', '--json');
      const idOf = ({ baseUrl }: ServiceProcess) =>
        (records.map(({ site }) => site as Site).find((site) => site.baseUrl === baseUrl) as Site).id;
      const { host } = new URL(service.baseUrl);
      addRule({
        id: 'r',
        name: 'Talks',
        enabled: true,
        conditions: { include: ['*.talk'], exclude: [], minSizeBytes: 0, minAgeMs: 0 },
        action: { kind: 'upload', settings: { siteId: idOf(other) } },
      });
      expect((await cli('sign-out', '--site', service.baseUrl)).code).toBe(0);
      // Only the account of the rule is signed in.
      const run = account.start('watch', 'run', '--json');
      const notice = await run.record<AppErrorData>('notice');
      expect(notice).toMatchObject({ code: 'sign-in.required', details: { siteId: idOf(service) } });
      expect(notice.message).toContain(host);
      await run.record<WatchedFolder>('watch', ({ lastSweepAt }) => lastSweepAt !== null);
      run.child.kill('SIGTERM');
      const ended = await run.ended;
      expect(ended.code).toBe(0);
      expect(ended.records.filter((record) => 'notice' in record)).toHaveLength(1);

      expect((await cli('sign-out', '--site', other.baseUrl)).code).toBe(0);
      const refused = await cli('watch', 'run', '--json');
      expect(refused.code).toBe(3);
      expect(refused.records.map(({ notice }) => (notice as AppErrorData).details?.siteId).sort()).toEqual(
        [idOf(service), idOf(other)].sort(),
      );
    } finally {
      await other.stop();
    }
  }, 600_000);

  it('refuses patterns that are not valid, and folders that can’t be watched', async () => {
    expect((await cli('watch', 'add', inbox, '--collection', 'library', '--include', '[')).code).toBe(2);
    const missing = await cli('watch', 'add', join(folder, 'none'), '--collection', 'library', '--json');
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('watch.root-missing');
    expect((await cli('watch', 'remove', inbox)).code).toBe(1);
  });
});
