// What Wine does otherwise than Windows, in plain Node. Each of these tests passes while Wine has the limit; one that fails shows
// that the tests which `files.ts` names for it can be trusted again.
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mediadesk-limits-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const put = (name: string) => {
  writeFileSync(join(dir, name), name);
  return join(dir, name);
};

describe('Wine', () => {
  it('makes no junction', () => {
    mkdirSync(join(dir, 'target'));
    expect(() => symlinkSync(join(dir, 'target'), join(dir, 'junction'), 'junction')).toThrow('ENOTSUP');
  });

  it('makes no symbolic link', () => {
    const target = put('target');
    symlinkSync(target, join(dir, 'link'));
    expect(() => lstatSync(join(dir, 'link'))).toThrow('ENOENT');
  });

  it('does not change the capitals of a name', () => {
    renameSync(put('Talk.txt'), join(dir, 'TALK.TXT'));
    expect(readdirSync(dir)).toEqual(['Talk.txt']);
  });

  it('replaces a lone half of a UTF-16 character in a name', () => {
    put('\ud800.txt');
    expect(readdirSync(dir)).toEqual(['\ufffd.txt']);
  });

  it('does not set the time of the last access', () => {
    const path = put('a.txt');
    utimesSync(path, 1_700_000_000, 1_700_000_000);
    expect(statSync(path).mtimeMs).toBe(1_700_000_000_000);
    expect(statSync(path).atimeMs).not.toBe(1_700_000_000_000);
  });

  it('replaces a read-only file', () => {
    const path = put('a.txt');
    rmSync(path);
    writeFileSync(path, 'a', { mode: 0o444 });
    renameSync(put('b.txt'), path);
    expect(readdirSync(dir)).toEqual(['a.txt']);
  });
});
