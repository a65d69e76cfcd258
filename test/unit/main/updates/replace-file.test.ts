import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readNotices } from '../../../../electron/main/read-notices.ts';
import {
  putAside,
  removeAside,
  replaceByAside,
  requireReplaceable,
} from '../../../../electron/main/updates/replace-file.ts';

let folder: string;
let target: string;
let source: string;
const hash = (text: string) => createHash('sha512').update(text).digest('base64');
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mediadesk-replace-'));
  [target, source] = [join(folder, 'Mediadesk.AppImage'), join(folder, 'download')];
  writeFileSync(target, 'old', { mode: 0o700 });
  writeFileSync(source, 'new', { mode: 0o600 });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the file of the app', () => {
  it('is replaced in one step by a verified, executable copy', async () => {
    await requireReplaceable(target);
    await putAside(source, target, hash('new'));
    expect(readFileSync(target, 'utf8')).toBe('old');
    await replaceByAside(target);
    expect(readFileSync(target, 'utf8')).toBe('new');
    expect(statSync(target).mode & 0o777).toBe(0o755);
    expect(readdirSync(folder).sort()).toEqual(['Mediadesk.AppImage', 'download']);
  });

  it('stays when the copy is another file, and the copy is removed', async () => {
    await expect(putAside(source, target, hash('newer'))).rejects.toMatchObject({ code: 'update.file-differs' });
    expect(readFileSync(target, 'utf8')).toBe('old');
    expect(readdirSync(folder).sort()).toEqual(['Mediadesk.AppImage', 'download']);
  });

  it('is replaced by the newer copy when an older one is still beside it', async () => {
    await putAside(source, target, hash('new'));
    writeFileSync(source, 'newest');
    await putAside(source, target, hash('newest'));
    await replaceByAside(target);
    expect(readFileSync(target, 'utf8')).toBe('newest');
  });

  it('stays when the copy was removed before the step', async () => {
    await putAside(source, target, hash('new'));
    await removeAside(target);
    await expect(replaceByAside(target)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(readFileSync(target, 'utf8')).toBe('old');
  });

  it('is said to be fixed when it is not there', async () => {
    await expect(requireReplaceable(join(folder, 'moved'))).rejects.toMatchObject({ code: 'update.target-read-only' });
  });
});

describe('the notices', () => {
  it('are the file of the package, and null in a build without one', async () => {
    const path = join(folder, 'NOTICES.txt');
    expect(await readNotices(path)).toBeNull();
    writeFileSync(path, 'Mediadesk contains …');
    expect(await readNotices(path)).toBe('Mediadesk contains …');
  });

  it('are not said to be missing when they can’t be read', async () => {
    const path = join(folder, 'NOTICES.txt');
    mkdirSync(path);
    await expect(readNotices(path)).rejects.toMatchObject({ code: 'EISDIR' });
  });
});
