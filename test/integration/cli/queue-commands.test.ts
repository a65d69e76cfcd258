// Commands for the queue, as separate processes against the real service.
import { spawn } from 'node:child_process';
import { rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UploadRow } from '../../../shared/contract/uploads.ts';
import { type CliProfile, errorOf, openCliProfile, PASSPHRASE_ENV } from '../../helpers/cli/cli-profile.ts';
import { clearJournal, effectsOf, journalOf } from '../../helpers/service/journal.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');

let service: ServiceProcess;
let account: CliProfile;
let folder: string;

beforeAll(async () => {
  service = await startService({ seed: 'demo' });
  account = await openCliProfile(service);
  ({ folder } = account);
  for (const name of ['one', 'two']) await writeFile(join(folder, `${name}.bin`), `${name} of ${folder}`.repeat(500));
  await writeFile(join(folder, 'phrase'), 'correct horse\n', { mode: 0o600 });
}, 600_000);
afterAll(async () => {
  await service?.stop();
  await account?.close();
});

const cli = (...args: string[]) => account.run(...args);
const file = (name: string) => join(folder, `${name}.bin`);

async function rows(): Promise<UploadRow[]> {
  return (await cli('queue', 'list', '--json')).records.map(({ upload }) => upload as UploadRow);
}

describe('a command for uploads', { timeout: 300_000 }, () => {
  it.each([
    ['queue', 'cancel'],
    ['queue', 'retry'],
    ['queue', 'pause'],
    ['queue', 'resume'],
    ['queue', 'next'],
    ['queue', 'priority', 'high'],
    ['queue', 'move'],
    ['duplicates', 'skip'],
  ])('ends with exit code 1 and names the id of an unknown upload: %s %s', async (...words) => {
    const result = await cli(...words, 'no-such-id', '--json');
    expect(result).toMatchObject({ code: 1, records: [] });
    expect(errorOf(result)).toMatchObject({ code: 'upload.unknown', details: { ids: ['no-such-id'] } });
    expect(errorOf(result).message).toContain('no-such-id');
  });

  it.each([
    ['queue', 'cancel'],
    ['queue', 'retry'],
    ['queue', 'list'],
    ['duplicates', 'list'],
  ])('ends with exit code 1 and names the id of an unknown batch: %s %s', async (...words) => {
    const result = await cli(...words, '--batch', 'no-such-batch', '--json');
    expect(result).toMatchObject({ code: 1, records: [] });
    expect(errorOf(result).message).toContain('no-such-batch');
  });

  it('changes the known uploads, names the others, and ends with exit code 1 when it changes nothing', async () => {
    expect((await cli('upload', file('one'), file('two'), '--collection', 'library')).code).toBe(0);
    const [first, second] = await rows();
    const paused = await cli('queue', 'pause', 'gone', first?.id ?? '', '--json');
    expect(paused).toMatchObject({ code: 1, records: [{ pause: { changed: 1 } }] });
    expect(errorOf(paused).details).toEqual({ ids: ['gone'] });
    const moved = await cli('queue', 'move', first?.id ?? '', '--before', 'gone', '--json');
    expect(moved).toMatchObject({ code: 1, records: [] });
    expect(new Map((await rows()).map(({ id, state }) => [id, state]))).toEqual(
      new Map([
        [first?.id, 'paused'],
        [second?.id, 'queued'],
      ]),
    );
    for (const words of [
      ['new', second?.id ?? ''],
      ['use', second?.id ?? '', '1'],
    ]) {
      const chosen = await cli('items', ...words);
      expect(chosen).toMatchObject({ code: 1 });
      expect(chosen.stdout).toContain('doesn’t need a decision about an item');
    }
    expect((await cli('queue', 'cancel', '--all')).code).toBe(0);
  });
});

describe('a file that replaced the one that was added', { timeout: 300_000 }, () => {
  it('is sent, with its captions, by “queue retry --accept-replaced” and by no other retry', async () => {
    await service.control('PATCH', '/settings', { processing: { outcome: 'complete' } });
    const [recording, captions] = [join(folder, 'talk.mp4'), join(folder, 'talk.en.vtt')];
    const replace = async (path: string, contents: string) => {
      await writeFile(`${path}.part`, contents);
      await rename(`${path}.part`, path);
    };
    const vtt = (text: string) => `WEBVTT\n\n00:01.000 --> 00:02.000\n${text}\n`;
    await writeFile(recording, 'the first cut');
    await writeFile(captions, vtt('Hello'));
    expect((await cli('upload', recording, '--collection', 'library')).code).toBe(0);
    const { id } = (await rows()).find(({ path }) => path === recording) as UploadRow;
    await replace(recording, 'the second cut');
    const send = () => cli('queue', 'resume', '--wait');
    const failed = await send();
    expect(failed.code).toBe(1);
    expect(failed.stderr + failed.stdout).toContain('run “mediadesk queue retry UPLOAD --accept-replaced”');

    expect((await cli('queue', 'retry', id)).stdout).toContain('Queued: 1 upload.');
    expect((await send()).code).toBe(1);

    await replace(captions, vtt('Good morning'));
    const accepted = await cli('queue', 'retry', id, '--accept-replaced', '--json');
    expect(accepted).toMatchObject({ code: 0, records: [{ retry: { changed: 1 } }] });
    // Only the recording had failed until now.
    expect((await send()).code).toBe(1);
    const row = async () => (await rows()).find((each) => each.id === id) as UploadRow;
    expect(await row()).toMatchObject({ state: 'complete', sizeBytes: 'the second cut'.length });
    expect((await row()).followUps[0]).toMatchObject({ state: 'failed', error: { code: 'file.replaced' } });
    await cli('queue', 'retry', id, '--accept-replaced');
    expect((await send()).code).toBe(0);
    expect((await row()).followUps[0]).toMatchObject({ kind: 'captions', state: 'done' });
  });

  it('is a usage error together with another collection', async () => {
    const result = await cli('queue', 'retry', '--batch', 'b', '--collection', 'c', '--accept-replaced');
    expect(result.code).toBe(2);
    expect(result.stderr).toContain('--collection, --accept-replaced');
  });
});

describe.runIf(process.platform === 'linux')('a file whose name is not UTF-8', { timeout: 300_000 }, () => {
  it('is queued when a shell passes it as an argument', async () => {
    const bytes = Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.of(0xe9), Buffer.from('.bin')]);
    await writeFile(bytes, 'one of these names');
    const program = join(ROOT, 'electron', 'cli', 'mediadesk.ts');
    const script = 'name=$(printf "%s/caf\\351.bin" "$1"); shift; exec "$@" "$name"';
    const args = ['upload', '--collection', 'library', '--json', ...account.keys];
    const child = spawn('sh', ['-c', script, 'sh', folder, process.execPath, program, ...args], {
      env: { ...process.env, ...PASSPHRASE_ENV },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const record = JSON.parse(await text(child.stdout));
    expect(record).toMatchObject({ batch: { added: 1, skippedCount: 0 } });
    const queued = (await rows()).find(({ batchId }) => batchId === record.batch.batchId);
    expect(queued).toMatchObject({ state: 'queued', fileName: 'caf\ufffd.bin' });
    expect((await cli('queue', 'cancel', '--all')).code).toBe(0);
  });
});

describe('queue cancel', { timeout: 300_000 }, () => {
  it('leaves no item in the library after queue resume --wait', async () => {
    await clearJournal(service);
    await service.control('POST', '/faults', {
      method: 'POST',
      path: '^/upload/',
      action: { kind: 'delay', ms: 60_000 },
    });
    const run = account.start('upload', file('one'), '--collection', 'library', '--wait', '--json');
    await run.record<UploadRow>('upload', ({ state }) => state === 'sending');
    run.child.kill('SIGINT');
    expect((await run.ended).code).toBe(130);
    await service.control('DELETE', '/faults');
    expect(await effectsOf(service, 'media-created')).toHaveLength(1);

    await clearJournal(service);
    expect((await cli('queue', 'cancel', '--all')).code).toBe(0);
    expect(await journalOf(service)).toEqual([]);
    const resumed = await cli('queue', 'resume', '--wait');
    expect(resumed.code).toBe(0);
    expect(await effectsOf(service, 'media-deleted')).toHaveLength(1);
    expect((await cli('queue', 'resume', '--wait')).stdout).toContain('There is nothing to upload.');
  });

  it('is reported as incomplete when the item can’t be removed, and the next command retries it', async () => {
    await service.control('POST', '/faults', {
      method: 'POST',
      path: '^/upload/',
      action: { kind: 'delay', ms: 60_000 },
    });
    const run = account.start('upload', file('two'), '--collection', 'library', '--wait', '--json');
    await run.record<UploadRow>('upload', ({ state }) => state === 'sending');
    run.child.kill('SIGINT');
    await run.ended;
    expect((await cli('queue', 'cancel', '--all')).code).toBe(0);
    expect((await cli('sign-out')).code).toBe(0);
    const without = await cli('queue', 'resume', '--wait');
    expect(without.code).toBe(1);
    expect(without.stderr).toContain('couldn’t be removed from the library yet');
    await service.control('DELETE', '/faults');
    await account.signIn();
    await clearJournal(service);
    expect((await cli('queue', 'resume', '--wait')).code).toBe(0);
    expect(await effectsOf(service, 'media-deleted')).toHaveLength(1);
  });
});

describe('the passphrase of the sign-in file', { timeout: 300_000 }, () => {
  /** Runs a command through the npm script of the package, as users without an installed program do. */
  async function npmRun(args: readonly string[], input = ''): Promise<{ code: number | null; out: string }> {
    const { MEDIADESK_PASSPHRASE: _, ...env } = process.env;
    const child = spawn('npm', ['run', '-s', 'mediadesk', '--', ...args, ...account.keys], { cwd: ROOT, env });
    child.stdin.end(input);
    const ended = new Promise<number | null>((done) => child.once('close', done));
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: await ended, out: out + err };
  }

  it('is read from a file through npm run', async () => {
    const listed = await npmRun(['collections', '--passphrase-file', join(folder, 'phrase')]);
    expect(listed).toMatchObject({ code: 0, out: expect.stringContaining('Library') });
  });

  it('is read from standard input through npm run', async () => {
    const listed = await npmRun(['collections', '--passphrase-file', '-'], 'correct horse\n');
    expect(listed).toMatchObject({ code: 0, out: expect.stringContaining('Library') });
  });

  it('is refused from a descriptor that npm run has closed, with --passphrase-file as the next step', async () => {
    const refused = await npmRun(['collections', '--passphrase-fd', '9']);
    expect(refused.code).toBe(2);
    expect(refused.out).toContain('--passphrase-file');
  });
});
