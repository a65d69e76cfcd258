import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeOpenedList, writeOpenedList } from '../../../../electron/main/presence/opened-list.ts';

let profile: string;
beforeEach(() => {
  profile = mkdtempSync(join(tmpdir(), 'mediadesk-opened-'));
});
afterEach(() => rmSync(profile, { recursive: true, force: true }));

const name = `opened-${'a'.repeat(32)}.json`;
const list = { args: Array.from({ length: 5000 }, (_, index) => `/videos/a long name ${index}.mp4`), workingDir: '/' };

describe('files that are too many for the message to a running app', () => {
  it('are handed over in a list that is read once', () => {
    const argument = writeOpenedList(profile, list);
    expect(argument.length).toBeLessThan(100);
    expect(takeOpenedList(profile, ['--no-sandbox', argument])).toEqual(list);
    expect(takeOpenedList(profile, [argument])).toBeNull();
    expect(readdirSync(profile)).toEqual([]);
  });

  it.each(['../secret.json', '/etc/passwd', 'desktop.json', '', `${name}/../x`])('are not read from %j', (other) => {
    writeFileSync(join(profile, 'desktop.json'), JSON.stringify(list));
    expect(takeOpenedList(profile, [`--opened-list=${other}`])).toBeNull();
    expect(readdirSync(profile)).toEqual(['desktop.json']);
  });

  it('are not read through a link, from a damaged list, or from one that is too large', () => {
    const secret = join(profile, 'secret');
    writeFileSync(secret, JSON.stringify(list));
    symlinkSync(secret, join(profile, name));
    expect(takeOpenedList(profile, [`--opened-list=${name}`])).toBeNull();
    rmSync(join(profile, name), { force: true });
    for (const text of ['{', '{"args":[1]}', ' '.repeat(5 * 1024 * 1024)]) {
      writeFileSync(join(profile, name), text);
      expect(takeOpenedList(profile, [`--opened-list=${name}`])).toBeNull();
    }
    expect(readdirSync(profile)).toEqual(['secret']);
  });
});
