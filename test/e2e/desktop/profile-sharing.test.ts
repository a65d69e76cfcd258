// The window and the command line on one profile: the window waits while a command runs, and a command ends with exit code 4
// while the window is open.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sha256OfFile } from '../../../build/samples/make-samples.ts';
import { pdfFile } from '../../../build/samples/pdf.ts';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { Receipt, UploadRow } from '../../../shared/contract/uploads.ts';
import { runCli, signInCli, startCli } from '../../helpers/cli/cli.ts';
import { appCommand, launchApp } from '../../helpers/desktop/desktop-app.ts';
import { clearJournal, effectsOf, requestsOf } from '../../helpers/service/journal.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';

let service: ServiceProcess;
let folder: string;
/** A document, because the library would process a recording for longer than everything else in these tests takes. */
let document: string;
let profile: string;
const apps: ChildProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mediadesk-sharing-'));
  document = join(folder, 'Slides week 7 (final).pdf');
  await writeFile(document, pdfFile('Week 7 – Optics', [['Week 7 – Optics']]));
  service = await startService({ seed: 'demo' });
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  profile = await mkdtemp(join(folder, 'profile-'));
  expect((await signInCli(service, ['--profile', profile])).code).toBe(0);
  await clearJournal(service);
});
afterEach(async () => {
  for (const app of apps.splice(0)) if (app.exitCode === null) app.kill('SIGKILL');
  await service.control('DELETE', '/faults');
  await service.control('PATCH', '/settings', { read_only: false });
});

const cli = (...args: string[]) => runCli([...args, '--profile', profile]);

/** Starts the app without Playwright. `says` resolves when a text is on standard error, and rejects when the app ends before. */
async function startApp() {
  const command = await appCommand(profile);
  const child = spawn(command.executablePath, command.args, { stdio: ['ignore', 'ignore', 'pipe'] });
  apps.push(child);
  let said = '';
  const gone = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const looks = new Set<() => void>();
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
    for (const look of [...looks]) look();
  });
  return {
    child,
    gone,
    said: () => said,
    says: (text: string) =>
      new Promise<void>((resolve, reject) => {
        const look = () => {
          if (!said.includes(text)) return;
          looks.delete(look);
          resolve();
        };
        looks.add(look);
        void gone.then((code) => reject(new Error(`It ended with ${code} without “${text}”:\n${said}`)));
        look();
      }),
  };
}

/** Starts an upload on the command line; resolves when its row satisfies `wanted`. */
async function startUpload(wanted: (row: UploadRow) => boolean) {
  const choices = ['--collection', 'library', '--duplicates', 'upload', '--wait', '--json', '--profile', profile];
  const run = startCli(['upload', document, ...choices]);
  await run.record<UploadRow>('upload', wanted);
  return run;
}

/** Starts an upload that waits, while its process uses the profile, until `release` ends the maintenance of the library. */
async function startHeldUpload() {
  await service.control('PATCH', '/settings', { read_only: true });
  const run = await startUpload(({ error }) => error?.code === 'api.read-only');
  return { ...run, release: () => service.control('PATCH', '/settings', { read_only: false }) };
}

async function expectThereOnce(): Promise<void> {
  const receipt = JSON.parse((await cli('receipt')).stdout) as Receipt;
  expect(receipt.totals).toMatchObject({ added: 1, complete: 1, pending: 0 });
  const [line] = receipt.lines;
  const stored = await service.control<{ sha256: string }>('GET', `/files/${line?.fileId}/sha256`);
  expect(stored.sha256).toBe(await sha256OfFile(document));
  expect(await effectsOf(service, 'media-created')).toHaveLength(1);
}

describe('the window, while the command line is running', () => {
  it('shows that a command uses the profile, waits, and continues when the command has ended', async () => {
    const run = await startHeldUpload();
    const app = await startApp();
    await app.says('shell.waits-for-profile');
    expect(app.child.exitCode).toBeNull();
    await run.release();
    expect((await run.ended).code).toBe(0);
    await app.says('shell.profile-is-free');
    await app.says('shell.ready');
    expect((await cli('queue', 'resume')).code).toBe(4);
    expect((await cli('queue', 'list')).code).toBe(0);
    app.child.kill('SIGTERM');
    await app.gone;
    await expectThereOnce();
  });

  it('sends the upload of the command exactly once when the command is killed', async () => {
    await service.control('POST', '/faults', {
      method: 'POST',
      path: '^/upload/',
      action: { kind: 'delay', ms: 60_000 },
    });
    const run = await startUpload(({ state }) => state === 'sending');
    const app = await startApp();
    await app.says('shell.waits-for-profile');
    await service.control('DELETE', '/faults');
    run.child.kill('SIGKILL');
    await run.ended;
    await app.says('shell.ready');
    await whenStored();
    app.child.kill('SIGTERM');
    await app.gone;
    expect((await cli('queue', 'resume', '--wait')).code).toBe(0);
    await expectThereOnce();
  });

  it('ends with exit code 4 when it is quit while it waits', async () => {
    const run = await startHeldUpload();
    const app = await startApp();
    await app.says('shell.waits-for-profile');
    app.child.kill('SIGTERM');
    expect(await app.gone).toBe(4);
    await run.release();
    expect((await run.ended).code).toBe(0);
    await expectThereOnce();
  });
});

/** Resolves when the service has received the whole file. */
async function whenStored(): Promise<void> {
  for (;;) {
    const forms = await requestsOf(service, 'POST', /^\/upload\//);
    if (forms.some(({ status }) => status !== null && status < 300)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('the command line, while the window is open', () => {
  it('ends every command that changes the queue with exit code 4, names the next step, and changes nothing', async () => {
    const window = await launchApp({ profileDir: profile });
    try {
      for (const args of [
        ['upload', document, '--collection', 'library', '--wait'],
        ['queue', 'resume', '--wait'],
        ['sign-out'],
      ]) {
        const result = await cli(...args);
        expect({ args, code: result.code, stdout: result.stdout }).toEqual({ args, code: 4, stdout: '' });
        expect(result.stderr).toContain('already running with this profile');
        expect(result.stderr).toContain('close it first');
        const asJson = await cli(...args, '--json');
        const { error } = JSON.parse(asJson.stderr.trim().split('\n').at(-1) ?? '') as { error: AppErrorData };
        expect(error.code).toBe('profile.in-use');
      }
      const state = await window.window.evaluate(() => {
        const { mediadesk } = globalThis as unknown as { mediadesk: { call(name: string, input: null): unknown } };
        return mediadesk.call('sites.list', null);
      });
      expect(state).toMatchObject({ ok: true, value: [{ state: 'signed-in' }] });
    } finally {
      await window.close();
    }
    expect((await cli('upload', document, '--collection', 'library', '--duplicates', 'upload', '--wait')).code).toBe(0);
    await expectThereOnce();
  });
});
