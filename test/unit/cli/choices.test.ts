import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { askHidden } from '../../../electron/cli/output/ask-hidden.ts';
import { exitCodeOf } from '../../../electron/cli/output/exit-codes.ts';
import { chooseSite } from '../../../electron/cli/session/choose-site.ts';
import { readPassphrase } from '../../../electron/cli/session/passphrase.ts';
import { chooseProfileFolder } from '../../../electron/cli/session/profile-folder.ts';
import { exitCodeOfOutcome } from '../../../electron/cli/uploads/upload-outcome.ts';
import { chooseProfileDir } from '../../../electron/main/profile.ts';
import { appError } from '../../../shared/contract/app-error.ts';
import { ERROR_CATALOG, type ErrorCode } from '../../../shared/contract/errors/error-catalog.ts';
import type { Site } from '../../../shared/contract/sites.ts';

const site = (id: string, state: Site['state'] = 'signed-in'): Site => ({
  id,
  baseUrl: `https://${id}.example.org`,
  clientId: 'desk',
  userId: null,
  displayName: `${id}.example.org`,
  accountName: null,
  state,
  keptIn: 'system',
  problem: null,
  reachable: true,
  restored: false,
});

describe('the profile folder', () => {
  const linux = { chosen: null, env: {}, platform: 'linux', homeDir: '/home/ada', workingDir: '/here' };

  it('is the same as that of the desktop app on every platform', () => {
    expect(chooseProfileFolder(linux)).toBe(
      chooseProfileDir({ argv: [], env: {}, appDataDir: '/home/ada/.config', workingDir: '/here' }),
    );
    expect(chooseProfileFolder({ ...linux, env: { XDG_CONFIG_HOME: '/cfg' } })).toBe('/cfg/mediadesk');
    expect(chooseProfileFolder({ ...linux, platform: 'darwin', homeDir: '/Users/ada' })).toBe(
      '/Users/ada/Library/Application Support/mediadesk',
    );
    expect(
      chooseProfileFolder({ ...linux, platform: 'win32', env: { APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' } }),
    ).toBe('C:\\Users\\ada\\AppData\\Roaming\\mediadesk');
  });

  it('is chosen by option, then by environment variable, as in the desktop app', () => {
    const env = { MEDIADESK_PROFILE: 'from-env' };
    expect(chooseProfileFolder({ ...linux, env })).toBe(
      chooseProfileDir({ argv: [], env, appDataDir: '/x', workingDir: '/here' }),
    );
    expect(chooseProfileFolder({ ...linux, env, chosen: 'here' })).toBe(
      chooseProfileDir({ argv: ['--profile', 'here'], env, appDataDir: '/x', workingDir: '/here' }),
    );
  });
});

describe('the account of a command', () => {
  const choose = (sites: readonly Site[], site: string | null, account: string | null = null) =>
    chooseSite(sites, { site, account });
  const at = (
    id: string,
    baseUrl: string,
    accountName: string,
    userId: string,
    state: Site['state'] = 'signed-in',
  ) => ({ ...site(id, state), baseUrl, displayName: new URL(baseUrl).host, accountName, userId });
  const here = 'https://media.example.org';
  const ada = at('1', here, 'Ada Admin', '7');
  const bob = at('2', here, 'Bob', '8');
  const bobElsewhere = at('3', 'https://other.example.org', 'Bob', '8');

  it('is the only one, or the one of the named library', () => {
    expect(choose([site('a')], null).id).toBe('a');
    expect(choose([site('a'), site('b', 'signed-out')], null).id).toBe('a');
    expect(choose([site('a'), site('b')], 'b').id).toBe('b');
    expect(choose([site('a'), site('b')], 'https://B.example.org/').id).toBe('b');
    expect(choose([site('a'), site('b')], 'b.example.org').id).toBe('b');
  });

  it('is selected by its name or user id at the named library', () => {
    expect(choose([ada, bob], null, 'bob').id).toBe('2');
    expect(choose([ada, bob], here, '7').id).toBe('1');
    expect(choose([ada, bob, bobElsewhere], 'other.example.org', 'Bob').id).toBe('3');
    expect(choose([ada, bob, bobElsewhere], 'other.example.org').id).toBe('3');
  });

  it('is the signed-in one when the others at the library are signed out', () => {
    expect(choose([{ ...ada, state: 'signed-out' }, bob], here).id).toBe('2');
    expect(choose([{ ...ada, state: 'signed-out' }, bob], here, 'Ada Admin').id).toBe('1');
  });

  it.each([
    [[], null, null, 'sign-in.required', 3],
    [[site('a'), site('b')], null, null, 'input.invalid', 2],
    [[site('a')], 'c.example.org', null, 'site.unknown', 3],
    [[ada, bob], here, null, 'input.invalid', 2],
    [[ada, bob, bobElsewhere], null, 'Bob', 'input.invalid', 2],
    [[ada], null, 'Bob', 'site.unknown', 3],
    [[ada], 'other.example.org', 'Ada Admin', 'site.unknown', 3],
  ] as const)('is rejected when it is missing, ambiguous or unknown', (sites, wanted, account, code, exit) => {
    try {
      choose(sites, wanted, account);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code });
      expect(exitCodeOf(error as { code: string })).toBe(exit);
    }
  });

  it('is rejected with the names of the accounts when several are at the library', () => {
    expect(() => choose([ada, bob], here)).toThrow('--account: Ada Admin, Bob');
  });
});

describe('the exit code', () => {
  it('is 1, 2, 3, 4 or 5 for every known error', () => {
    for (const code of Object.keys(ERROR_CATALOG) as ErrorCode[])
      expect([1, 2, 3, 4, 5]).toContain(exitCodeOf({ code }));
    expect(exitCodeOf(appError('profile.in-use'))).toBe(4);
    expect(exitCodeOf(appError('profile.disk-full'))).toBe(5);
    expect(exitCodeOf(appError('sign-in.denied'))).toBe(3);
    expect(exitCodeOf(appError('site.address-invalid'))).toBe(2);
    expect(exitCodeOf(appError('network.unreachable'))).toBe(1);
  });

  it('is 0 only when everything is complete', () => {
    const all = { complete: 5, troubled: 0, pending: 0, pendingCodes: [] };
    expect(exitCodeOfOutcome(all)).toBe(0);
    expect(exitCodeOfOutcome({ ...all, troubled: 1 })).toBe(1);
    expect(exitCodeOfOutcome({ ...all, pending: 1, pendingCodes: [null] })).toBe(1);
    expect(exitCodeOfOutcome({ ...all, complete: 0 })).toBe(1);
    expect(exitCodeOfOutcome({ ...all, pending: 1, pendingCodes: ['sign-in.required'] })).toBe(3);
  });
});

describe('the passphrase', () => {
  it('is read from the descriptor first, and is deleted from the environment', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'mediadesk-cli-'));
    try {
      writeFileSync(join(dir, 'phrase'), 'correct horse\n');
      const env = { MEDIADESK_PASSPHRASE: 'other' };
      const fd = openSync(join(dir, 'phrase'), 'r');
      expect(await readPassphrase({ fd, file: null, env, ask: null })).toBe('correct horse');
      expect(env).toEqual({});
      closeSync(fd);
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  it('is read from the environment when nothing else is given', async () => {
    const env = { MEDIADESK_PASSPHRASE: 'sésame' };
    expect(await readPassphrase({ fd: null, file: null, env, ask: null })).toBe('sésame');
  });

  it('is refused with the possible sources when there is none', async () => {
    await expect(readPassphrase({ fd: null, file: null, env: {}, ask: null })).rejects.toThrow('--passphrase-fd');
    await expect(
      readPassphrase({ fd: null, file: null, env: { MEDIADESK_PASSPHRASE: '' }, ask: null }),
    ).rejects.toThrow('empty');
  });

  it('is typed without echo', async () => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
    const stderr = new PassThrough();
    const ask = (question: string) => askHidden(question, stdin as unknown as NodeJS.ReadStream, stderr);
    const asked = readPassphrase({ fd: null, file: null, env: {}, ask });
    stdin.write('hallox\u007f wélt\r');
    expect(await asked).toBe('hallo wélt');
    expect(String(stderr.read())).not.toContain('hallo');
  });
});
