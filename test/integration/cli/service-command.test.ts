// `mediadesk service`: the command line becomes the library service.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, it } from 'vitest';

const PROGRAM = join(import.meta.dirname, '..', '..', '..', 'electron', 'cli', 'mediadesk.ts');
const folder = mkdtempSync(join(tmpdir(), 'service-command-'));
const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

function start(args: string[], env: NodeJS.ProcessEnv = process.env) {
  const child = spawn(process.execPath, [PROGRAM, 'service', ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
  started.push(child);
  return child;
}

it('serves a library with private files from this process, and ends with 0 when it is stopped', async () => {
  const data = join(folder, 'library');
  const child = start(['--data', data, '--seed', 'empty', '--quiet']);
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { base_url: baseUrl, client_id: clientId } = JSON.parse(line as string) as Record<string, string>;
  expect(clientId).toBe('mediadesk');
  const answer = await fetch(`${baseUrl}/api2/media`);
  expect(answer.status).toBe(401);
  expect(statSync(join(data, 'library.sqlite')).mode & 0o077).toBe(0);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('ends with 2 and its own usage when the service refuses the line', async () => {
  const child = start(['--data', join(folder, 'other'), '--port', 'eighty']);
  let complaints = '';
  child.stderr.on('data', (text: Buffer) => {
    complaints += text.toString();
  });
  expect(await once(child, 'close')).toEqual([2, null]);
  expect(complaints).toMatch(/--port must be a number.*\nUsage: mediadesk service /);
});

it('opens its listener for operators at the address in the environment, unless the option names another one', async () => {
  const env = { ...process.env, MEDIADESK_OPERATIONS: '127.0.0.1:0' };
  const addresses: (string | undefined)[] = [];
  for (const options of [[], ['--operations', '[::1]:0']]) {
    const child = start(['--data', join(folder, 'operated'), '--seed', 'empty', ...options], env);
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    const { operations_url: url } = JSON.parse(line as string) as Record<string, string>;
    addresses.push(url);
    expect((await fetch(`${url}/live`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  }
  expect(addresses).toEqual([
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:/),
    expect.stringMatching(/^http:\/\/\[::1\]:/),
  ]);
});

it('begins a library with the first user in the environment, and prints a link for this user', async () => {
  const data = join(folder, 'first-user');
  const child = start(['--data', data], { ...process.env, MEDIADESK_FIRST_USER: 'amy@library.example' });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const printed = JSON.parse(line as string) as Record<string, string>;
  expect(Object.keys(printed).sort()).toEqual(['base_url', 'client_id', 'first_user_link']);
  expect(await (await fetch(printed.first_user_link ?? '')).text()).toContain('amy@library.example');
  child.kill('SIGTERM');
  await once(child, 'exit');
  const command = start(['reset-link', '--data', data, '--json', 'amy@library.example']);
  const [answer] = await once(createInterface({ input: command.stdout }), 'line');
  expect(JSON.parse(answer as string).link).toMatch(`${printed.base_url}/account/set-password/`);
});

it.each(['--operations=nowhere', '--drain-seconds=soon', '--reserve-mib=-1', '--log='])(
  'refuses %s',
  async (option) => {
    const child = start(['--data', join(folder, 'refused'), option]);
    expect(await once(child, 'close')).toEqual([2, null]);
  },
);

it('reads every option from the environment, and names all mistakes of options and configuration at once', async () => {
  const config = join(folder, 'wrong.json');
  writeFileSync(config, JSON.stringify({ page_size: { default: -1 }, webhook_url: 5 }));
  const env = {
    ...process.env,
    MEDIADESK_DATA: join(folder, 'never'),
    MEDIADESK_PORT: 'eighty',
    MEDIADESK_HOST: '127.0.0.1',
    MEDIADESK_SEED: 'sample',
    MEDIADESK_FIRST_USER: 'nobody',
    MEDIADESK_SERVICE_CONFIG: config,
    MEDIADESK_BASE_URL: 'library',
    MEDIADESK_OPERATIONS: 'nowhere',
    MEDIADESK_RESERVE_MIB: '-1',
    MEDIADESK_DRAIN_SECONDS: 'soon',
    MEDIADESK_LANGUAGES: join(folder, 'no-languages'),
  };
  const child = start([], env);
  let complaints = '';
  child.stderr.on('data', (text: Buffer) => {
    complaints += text.toString();
  });
  expect(await once(child, 'close')).toEqual([2, null]);
  for (const part of [
    '--port',
    '--seed',
    '--first-user',
    '--base-url',
    '--operations',
    '--reserve-mib',
    '--drain-seconds',
  ])
    expect(complaints).toContain(`${part} must be`);
  expect(complaints).toMatch(/wrong\.json[\s\S]*webhook_url[\s\S]*page_size\.default/);
  expect(complaints).toContain('The languages can’t be read');
  expect(complaints.match(/Usage/g)).toHaveLength(1);
  expect(existsSync(join(folder, 'never'))).toBe(false);
});

it('makes, checks and restores a backup, with lines for people or with one line of JSON', async () => {
  const [data, backup] = [join(folder, 'archived'), join(folder, 'backup')];
  const service = start(['--data', data, '--seed', 'demo', '--quiet']);
  await once(createInterface({ input: service.stdout }), 'line');
  service.kill('SIGTERM');
  await once(service, 'exit');
  const run = async (...args: string[]) => {
    const child = start(args);
    let stdout = '';
    child.stdout.on('data', (text: Buffer) => {
      stdout += text.toString();
    });
    const [code] = await once(child, 'close');
    return { code, stdout };
  };
  const made = await run('backup', '--data', data, '--to', backup);
  expect(made).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^Backup: .*backup \(12 files, .* kB; 12 are hard links\)\n$/),
  });
  const verified = await run('verify', backup, '--json');
  expect([verified.code, JSON.parse(verified.stdout)]).toEqual([
    0,
    expect.objectContaining({ is_whole: true, files: 12 }),
  ]);
  expect((await run('verify', backup)).stdout).toMatch(/^Whole backup: 12 files, .* kB, made at 20/);
  const restored = await run('restore', '--from', backup, '--data', join(folder, 'restored'), '--json');
  expect([restored.code, JSON.parse(restored.stdout)]).toEqual([0, expect.objectContaining({ files: 12, missing: 0 })]);
  const refused = await run('restore', '--from', data, '--data', join(folder, 'never'));
  expect(refused.code).toBe(1);
});

it('ends with 1 when the report about a backup has no reader', async () => {
  const child = start(['verify', join(folder, 'none'), '--json']);
  child.stdout.destroy();
  expect(await once(child, 'exit')).toEqual([1, null]);
});
