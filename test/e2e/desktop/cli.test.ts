import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeSamples, type Sample } from '../../../build/samples/make-samples.ts';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { Receipt, UploadRow } from '../../../shared/contract/uploads.ts';
import { type CliResult, runCli, signInCli, startCli } from '../../helpers/cli/cli.ts';
import { launchApp } from '../../helpers/desktop/desktop-app.ts';
import { clearJournal, requestsOf } from '../../helpers/service/journal.ts';
import { clientFor } from '../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';

let service: ServiceProcess;
let folder: string;
let samples: Sample[];
let profile: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mediadesk-cli-'));
  samples = await makeSamples(join(folder, 'samples'), { ffmpeg: 'auto', sizes: 'small' });
  service = await startService({ seed: 'demo' });
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  profile = await mkdtemp(join(folder, 'profile-'));
});
afterEach(() => service.control('DELETE', '/faults'));

const samplePath = (extension: string) => samples.find(({ path }) => path.endsWith(extension))?.path ?? '';
const cli = (...args: string[]) => runCli([...args, '--profile', profile]);
const signIn = () => signInCli(service, ['--profile', profile]);

function errorOf({ stderr }: CliResult): AppErrorData {
  return (JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as { error: AppErrorData }).error;
}

async function uploadsInQueue(): Promise<UploadRow[]> {
  const { records } = await cli('queue', 'list', '--json');
  return records.map(({ upload }) => upload as UploadRow);
}

/** Returns how many requests of this kind the service answered with success. */
async function journalCount(method: string, path: RegExp): Promise<number> {
  return (await requestsOf(service, method, path)).filter(({ status }) => status !== null && status < 300).length;
}

async function expectStored(receipt: Receipt, expected: readonly Sample[]): Promise<void> {
  expect(receipt.lines.map(({ fileName }) => fileName).sort()).toEqual(expected.map(({ fileName }) => fileName).sort());
  for (const line of receipt.lines) {
    const sample = expected.find(({ fileName }) => fileName === line.fileName);
    const stored = await service.control<{ sha256: string; size: number; received_name: string }>(
      'GET',
      `/files/${line.fileId}/sha256`,
    );
    expect({ outcome: line.outcome, sent: line.sha256, ...stored }).toMatchObject({
      outcome: 'complete',
      sent: sample?.sha256,
      sha256: sample?.sha256,
      size: sample?.size,
      received_name: sample?.fileName,
    });
  }
}

describe('the command line', () => {
  it('ends with exit code 2 for invalid arguments, and names the help to read', async () => {
    const result = await cli('upload', '--wait');
    expect(result.code).toBe(2);
    expect(result.stderr).toContain('mediadesk upload --help');
    expect((await runCli([])).code).toBe(2);
    expect((await runCli(['queue', 'list', '--help'])).code).toBe(0);
  });

  it('ends with exit code 3 and names the next step while no account is signed in', async () => {
    for (const args of [['collections'], ['upload', samplePath('.wav'), '--collection', 'library']]) {
      const result = await cli(...args, '--json');
      expect(result.code).toBe(3);
      expect(errorOf(result)).toMatchObject({ code: 'sign-in.required' });
    }
  });

  it('signs in at an address that the user opens, keeps the sign-in for the next command, and signs out', async () => {
    const result = await signIn();
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.records).toMatchObject([
      { open: expect.stringContaining(service.baseUrl) },
      { site: { state: 'signed-in' } },
    ]);
    expect((await cli('sites')).stdout).toMatch(/signed in .* in the keychain/);
    expect(await cli('collections', '--tree')).toMatchObject({ code: 0, stdout: expect.stringContaining('Library') });
    expect((await cli('sign-out')).code).toBe(0);
    expect((await cli('collections')).code).toBe(3);
  });

  it('ends with exit code 3 when the user denies the access, and stores no account', async () => {
    const result = await signInCli(service, ['--profile', profile], 'deny');
    expect(result.code).toBe(3);
    expect(errorOf(result).code).toBe('sign-in.denied');
    expect((await cli('collections')).code).toBe(3);
  });

  it.each([
    ['not an address', 'site.address-invalid', 2],
    ['http://media.example.org', 'site.address-insecure', 2],
    ['http://127.0.0.1:9', 'site.unreachable', 1],
  ])('refuses a sign-in at the address %s with the error %s and exit code %i', async (site, code, exit) => {
    const result = await cli('sign-in', '--site', site, '--client-id', 'x', '--browser', 'none', '--json');
    expect(errorOf(result).code).toBe(code);
    expect(result.code).toBe(exit);
  });

  it('only queues an upload without --wait; queue resume --wait then sends every byte of it', async () => {
    await signIn();
    await clearJournal(service);
    const queued = await cli('upload', join(folder, 'samples'), '--no-sidecars', '--collection', 'library', '--json');
    expect(queued.code).toBe(0);
    expect(queued.records).toMatchObject([{ batch: { added: samples.length, skippedCount: 0 } }]);
    expect((await uploadsInQueue()).map(({ state }) => state)).toEqual(samples.map(() => 'queued'));
    expect(await journalCount('POST', /^\/(api2\/media|upload)/)).toBe(0);

    const sent = await cli('queue', 'resume', '--wait', '--json');
    expect(sent.code).toBe(0);
    expect(sent.records.at(-1)).toEqual({
      outcome: { complete: samples.length, failed: 0, cancelled: 0, pending: 0 },
    });
    const receipt = JSON.parse((await cli('receipt')).stdout) as Receipt;
    expect(receipt.totals).toMatchObject({ added: samples.length, complete: samples.length, pending: 0 });
    await expectStored(receipt, samples);

    const csv = await cli('receipt', receipt.batchId, '--format', 'csv');
    expect(csv.stdout.split('\r\n')).toHaveLength(samples.length + 2);
    expect((await cli('queue', 'resume', '--wait')).stdout).toContain('There is nothing to upload.');
  });

  it('reports sending, processing and complete with --wait, and gives the published item its title and tags', async () => {
    await signIn();
    // The delay makes the state observable: a state that ends immediately is not announced.
    await service.control('POST', '/faults', { method: 'POST', path: '^/upload/', action: { kind: 'delay', ms: 700 } });
    const result = await cli(
      ...['upload', samplePath('.wav'), '--collection', 'library', '--duplicates', 'upload', '--wait', '--json'],
      ...['--title-template', '{nn} {name}', '--tags', 'optics,week 7', '--publish', 'now'],
    );
    expect(result.code).toBe(0);
    const rows = result.records.flatMap(({ upload }) => (upload ? [upload as UploadRow] : []));
    const states = rows.map(({ state }) => state);
    for (const state of ['sending', 'processing', 'complete']) expect(states).toContain(state);
    expect(rows.at(-1)).toMatchObject({ state: 'complete', title: '01 Interview “Müller” 🎙' });
    const receipt = result.records.at(-1)?.receipt as Receipt;
    await expectStored(
      receipt,
      samples.filter(({ path }) => path.endsWith('.wav')),
    );
    const { body: item } = await (await clientFor(service)).get(`/api2/media/${receipt.lines[0]?.mediaId}`);
    expect(item).toMatchObject({ title: '01 Interview “Müller” 🎙', status: 'published' });
    expect(item.tags.sort()).toEqual(['optics', 'week 7']);
  });

  it('ends with exit code 1 and names each file that failed or was skipped', async () => {
    await signIn();
    const broken = join(profile, 'recordings');
    await mkdir(broken);
    await writeFile(join(broken, 'empty.wav'), '');
    await writeFile(join(broken, 'notes.wav'), 'this is no sound at all '.repeat(200));
    const result = await cli('upload', broken, '--collection', 'library', '--wait');
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(/Skipped: .*empty\.wav: The file is empty/);
    expect(result.stderr).toMatch(/Failed: .*notes\.wav: /);
    const receipt = JSON.parse((await cli('receipt')).stdout) as Receipt;
    expect(receipt.totals).toMatchObject({ added: 2, complete: 0, failed: 1, skipped: 1, pending: 0 });
  });

  it('ends with exit code 1 for an unknown collection, and creates nothing in the library', async () => {
    await signIn();
    await clearJournal(service);
    const result = await cli('upload', samplePath('.png'), '--collection', 'no-such-place', '--wait');
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('“no-such-place”');
    expect((await uploadsInQueue()).map(({ error }) => error?.code)).toEqual(['collection.unknown']);
    expect(await journalCount('POST', /^\/api2\/media/)).toBe(0);
  });

  it('pauses and cancels the named uploads, and resumes those of a batch', async () => {
    await signIn();
    await cli('upload', join(folder, 'samples'), '--no-sidecars', '--collection', 'library');
    const [first, second] = await uploadsInQueue();
    expect((await cli('queue', 'pause', first?.id ?? '', '--json')).records).toEqual([{ pause: { changed: 1 } }]);
    expect((await cli('queue', 'cancel', second?.id ?? '', '--json')).records).toEqual([{ cancel: { changed: 1 } }]);
    const states = (await uploadsInQueue()).map(({ state }) => state);
    expect(states.filter((state) => state === 'paused')).toHaveLength(1);
    expect(states.filter((state) => state === 'cancelled')).toHaveLength(1);
    expect((await cli('queue', 'resume', '--batch', first?.batchId ?? '')).code).toBe(0);
    expect((await uploadsInQueue()).filter(({ state }) => state === 'queued')).toHaveLength(samples.length - 1);
    expect((await cli('queue', 'cancel')).code).toBe(2);
  });

  it('stops at Ctrl-C, leaves the upload in the queue, and completes it exactly once later', async () => {
    await signIn();
    await clearJournal(service);
    await service.control('POST', '/faults', {
      method: 'POST',
      path: '^/upload/',
      action: { kind: 'delay', ms: 30_000 },
    });
    const run = startCli([
      ...[
        'upload',
        samplePath('.mp4'),
        '--collection',
        'library',
        '--duplicates',
        'upload',
        '--wait',
        '--json',
        '--profile',
        profile,
      ],
    ]);
    await run.record<UploadRow>('upload', ({ state }) => state === 'sending');
    run.child.kill('SIGINT');
    expect((await run.ended).code).toBe(130);
    await service.control('DELETE', '/faults');
    expect((await uploadsInQueue()).map(({ state }) => state)).not.toContain('complete');
    expect((await cli('queue', 'resume', '--wait')).code).toBe(0);
    const receipt = JSON.parse((await cli('receipt')).stdout) as Receipt;
    await expectStored(
      receipt,
      samples.filter(({ path }) => path.endsWith('.mp4')),
    );
    expect(await journalCount('POST', /^\/api2\/media$/)).toBe(1);
  });

  it('reads the queue while the window uses the profile, and ends with exit code 4 when it would change it', async () => {
    await signIn();
    const window = await launchApp({ profileDir: profile });
    try {
      expect((await cli('queue', 'list', '--json')).code).toBe(0);
      const result = await cli('queue', 'resume', '--json');
      expect(result.code).toBe(4);
      expect(errorOf(result).code).toBe('profile.in-use');
    } finally {
      await window.close();
    }
    expect((await cli('queue', 'resume')).code).toBe(0);
  });
});

describe('the sign-in of the command line', () => {
  it('can be stored in a file that only its passphrase opens', async () => {
    const sealed = ['--profile', profile, '--keychain', 'file'];
    const right = { env: { MEDIADESK_PASSPHRASE: 'correct horse' } };
    expect((await signInCli(service, sealed, 'approve', right)).code).toBe(0);
    expect((await runCli(['collections', ...sealed], right)).code).toBe(0);
    const wrong = await runCli(['collections', ...sealed, '--json'], { env: { MEDIADESK_PASSPHRASE: 'wrong horse' } });
    expect(wrong.code).not.toBe(0);
    expect(errorOf(wrong).code).toBe('keychain.wrong-passphrase');
    const none = await runCli(['collections', ...sealed]);
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('--passphrase-fd');
  });

  it('is in no file of the profile unencrypted', async () => {
    const sealed = ['--profile', profile, '--keychain', 'file'];
    const run = await signInCli(service, sealed, 'approve', { env: { MEDIADESK_PASSPHRASE: 'correct horse' } });
    expect(run.code).toBe(0);
    const names = await readdir(profile, { recursive: true, withFileTypes: true });
    for (const entry of names.filter((each) => each.isFile())) {
      const bytes = await readFile(join(entry.parentPath, entry.name));
      for (const text of ['refresh_token', 'access_token', 'correct horse']) {
        expect({ name: entry.name, text, found: bytes.includes(text) }).toMatchObject({ found: false });
      }
    }
  });
});
