import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readGlobals } from '../../../electron/cli/arguments/global-options.ts';
import { UsageError } from '../../../electron/cli/arguments/usage-error.ts';
import { readOptionDefaults } from '../../../electron/cli/session/option-defaults.ts';
import { passphraseFileProblem } from '../../../electron/cli/session/passphrase.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mediadesk-defaults-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (value: unknown, name = 'mediadesk-cli.json') =>
  writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
const defaults = (env: Record<string, string> = {}) =>
  readOptionDefaults({ env: { XDG_CONFIG_HOME: folder, ...env }, platform: 'linux', homeDir: folder });

describe('the defaults of options', () => {
  it('are none without variables and a file', () => expect(defaults()).toEqual({}));

  it('come from the file, whose paths start at its folder, and from variables first', () => {
    write({ profile: 'station', keychain: 'file', 'passphrase-file': '/etc/phrase', site: 'media.example' });
    expect(defaults({ MEDIADESK_SITE: 'other.example', MEDIADESK_KEYCHAIN: '' })).toEqual({
      profile: join(folder, 'station'),
      keychain: 'file',
      'passphrase-file': '/etc/phrase',
      site: 'other.example',
    });
  });

  it('come from the file that MEDIADESK_CONFIG names', () => {
    write({ keychain: 'memory' }, 'other.json');
    expect(defaults({ MEDIADESK_CONFIG: join(folder, 'other.json') })).toEqual({ keychain: 'memory' });
  });

  it.each([['not json'], [['profile']], [{ profle: 'x' }], [{ keychain: 3 }], [{ profile: '' }]])(
    'are refused with the path when the file is not valid: %j',
    (value) => {
      write(value);
      expect(() => defaults()).toThrow(UsageError);
      expect(() => defaults()).toThrow(join(folder, 'mediadesk-cli.json'));
    },
  );

  it('are refused when the file that MEDIADESK_CONFIG names is missing', () =>
    expect(() => defaults({ MEDIADESK_CONFIG: join(folder, 'gone.json') })).toThrow(UsageError));

  it('give way to options, and a passphrase file applies only to a keychain file', () => {
    const given = { profile: '/p', keychain: 'file', 'passphrase-file': '/phrase' };
    expect(readGlobals({}, null, given)).toMatchObject({
      profileDir: '/p',
      keychain: 'file',
      passphraseFile: '/phrase',
    });
    expect(readGlobals({ keychain: 'memory' }, null, given)).toMatchObject({
      keychain: 'memory',
      passphraseFile: null,
    });
    expect(readGlobals({ 'passphrase-fd': '3' }, null, given)).toMatchObject({ passphraseFd: 3, passphraseFile: null });
    expect(readGlobals({ profile: '/q' }, null, given).profileDir).toBe('/q');
    expect(() => readGlobals({ keychain: 'memory', 'passphrase-file': '/x' }, null, given)).toThrow(UsageError);
  });
});

describe('a passphrase file', () => {
  const problem = (mode: number, platform = 'linux', env: NodeJS.ProcessEnv = {}) => {
    const path = join(folder, `phrase-${mode}-${platform}`);
    writeFileSync(path, 'x', { mode });
    return passphraseFileProblem(path, { env, platform })?.code ?? null;
  };

  it.skipIf(process.platform === 'win32').each([
    [0o600, null],
    [0o400, null],
    [0o640, 'keychain.passphrase-exposed'],
    [0o644, 'keychain.passphrase-exposed'],
    [0o604, 'keychain.passphrase-exposed'],
  ])('of mode %o is reported when others can read it', (mode, code) => expect(problem(mode)).toBe(code));

  it('is not reported on Windows, nor as a credential of systemd', () => {
    expect(problem(0o644, 'win32')).toBeNull();
    expect(problem(0o640, 'linux', { CREDENTIALS_DIRECTORY: folder })).toBeNull();
  });
});
