import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createFileKeychain } from '../../../../electron/engine/ports/system/keychain-file.ts';
import { nodeRandom } from '../../../../electron/engine/ports/system/node-random.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mediadesk-keychain-'));
  path = join(folder, 'sign-in.sealed');
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
});

const open = (passphrase = 'correct horse') =>
  createFileKeychain({ path, passphrase, random: nodeRandom, costLog2: 10 });

describe('the protected file', () => {
  it('stores, returns and deletes secrets, also for the next process', async () => {
    await open().set('site/a', '1.sésame 🔑');
    await open().set('site/b', '2.other');
    expect(await open().get('site/a')).toBe('1.sésame 🔑');
    await open().delete('site/a');
    await open().delete('never there');
    expect(await open().get('site/a')).toBeNull();
    expect(await open().get('site/b')).toBe('2.other');
  });

  it('contains neither secrets nor account names in plain text, and is readable by this user only', async () => {
    await open().set('site-canary', 'secret-canary');
    expect(await readFile(path, 'utf8')).not.toContain('canary');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('is sealed with a new nonce at each change', async () => {
    const keychain = open();
    await keychain.set('x', 'same');
    const first = JSON.parse(await readFile(path, 'utf8'));
    await keychain.set('x', 'same');
    const second = JSON.parse(await readFile(path, 'utf8'));
    expect(second.iv).not.toBe(first.iv);
    expect(second.data).not.toBe(first.data);
  });

  it('does not open, and does not change, with another passphrase', async () => {
    await open().set('x', 'y');
    const before = await readFile(path, 'utf8');
    const wrong = open('wrong horse');
    await expect(wrong.get('x')).rejects.toMatchObject({ code: 'keychain.wrong-passphrase' });
    await expect(wrong.set('x', 'z')).rejects.toMatchObject({ code: 'keychain.wrong-passphrase' });
    expect(await readFile(path, 'utf8')).toBe(before);
    expect(await open().get('x')).toBe('y');
  });

  it('opens with the same passphrase when another keyboard composes its characters differently', async () => {
    await open('Gr\u00fc\u00dfe').set('x', 'y');
    expect(await open('Gru\u0308\u00dfe').get('x')).toBe('y');
  });

  it('refuses an empty passphrase', () => {
    expect(() => open('')).toThrowError(expect.objectContaining({ code: 'input.invalid' }));
  });

  it.each(['', '{', 'null', '{"version":2}', '{"version":1,"costLog2":60}', 'x'.repeat(10_000)])(
    'is reported and not overwritten when it is damaged (%#)',
    async (text) => {
      await writeFile(path, text);
      await expect(open().get('x')).rejects.toMatchObject({ code: 'keychain.unavailable' });
      await expect(open().set('x', 'y')).rejects.toMatchObject({ code: 'keychain.unavailable' });
      expect(await readFile(path, 'utf8')).toBe(text);
    },
  );

  it.each(['salt', 'iv', 'tag', 'data', 'costLog2'])('can’t be opened after a change of its %s', async (field) => {
    await open().set('x', 'y');
    const sealed = JSON.parse(await readFile(path, 'utf8'));
    const other = sealed[field].length > 0 ? (sealed[field][0] === 'A' ? 'B' : 'A') + sealed[field].slice(1) : '';
    await writeFile(path, JSON.stringify({ ...sealed, [field]: field === 'costLog2' ? 11 : other }));
    await expect(open().get('x')).rejects.toMatchObject({ code: 'keychain.wrong-passphrase' });
  });

  it('applies concurrent changes one after another', async () => {
    const keychain = open();
    const names = Array.from({ length: 20 }, (_, index) => `entry-${index}`);
    await Promise.all(names.map((name) => keychain.set(name, name)));
    expect(await Promise.all(names.map((name) => open().get(name)))).toEqual(names);
    expect(await readdir(folder)).toEqual(['sign-in.sealed']);
  });

  it('reports an error and keeps its contents when it cannot be written', async () => {
    await open().set('x', 'y');
    const random = { ...nodeRandom, uuid: () => 'same' };
    // The name of the temporary file is in use: the write fails for every user, root included.
    await writeFile(`${path}.same.tmp`, '');
    const blocked = createFileKeychain({ path, passphrase: 'correct horse', random, costLog2: 10 });
    await expect(blocked.set('x', 'z')).rejects.toMatchObject({ code: 'keychain.unavailable' });
    expect(await open().get('x')).toBe('y');
  });
});
