import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AssetTable, contentTypeOf, findAsset } from '../../../electron/main/asset-lookup.ts';
import { readAssets } from '../../../electron/main/read-assets.ts';

let root: string;
let assets: AssetTable;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'mediadesk-assets-'));
  await mkdir(join(root, 'site', 'assets'), { recursive: true });
  await writeFile(join(root, 'secret.txt'), 'secret');
  await writeFile(join(root, 'site', 'index.html'), '<!doctype html>');
  await writeFile(join(root, 'site', 'assets', 'a b.js'), '1');
  await symlink(join(root, 'secret.txt'), join(root, 'site', 'link.txt'));
  await symlink(root, join(root, 'site', 'up'));
  assets = await readAssets(join(root, 'site'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe('the app:// protocol', () => {
  it('serves the built files at their own paths, and the start page at /', () => {
    expect(findAsset(assets, 'app://mediadesk/')).toBe(join(root, 'site', 'index.html'));
    expect(findAsset(assets, 'app://mediadesk/index.html')).toBe(join(root, 'site', 'index.html'));
    expect(findAsset(assets, 'app://mediadesk/assets/a%20b.js?x=1#y')).toBe(join(root, 'site', 'assets', 'a b.js'));
  });

  it('serves no symbolic links to files or folders', () => {
    expect([...assets.keys()].sort()).toEqual(['/assets/a%20b.js', '/index.html']);
  });

  it.each([
    'app://mediadesk/../secret.txt',
    'app://mediadesk/..%2fsecret.txt',
    'app://mediadesk/%2e%2e/secret.txt',
    'app://mediadesk/%2e%2e%2fsecret.txt',
    'app://mediadesk/..%5c..%5csecret.txt',
    'app://mediadesk/assets/../../secret.txt',
    'app://mediadesk//etc/passwd',
    'app://mediadesk/etc/passwd',
    'app://mediadesk/%00index.html',
    'app://mediadesk/index.html%00.js',
    'app://mediadesk/link.txt',
    'app://mediadesk/up/secret.txt',
    'app://mediadesk/INDEX.HTML',
    'app://mediadesk/index.html/',
    'app://mediadesk/assets',
    'app://mediadesk/assets/',
    'app://elsewhere/index.html',
    'app://mediadesk.evil/index.html',
    'app://mediadesk:80/index.html',
    'app://user@mediadesk/index.html',
    'app://user:word@mediadesk/index.html',
    'app:index.html',
    'file:///etc/passwd',
    'https://mediadesk/index.html',
    'not an address',
    '',
  ])('returns nothing for %s', (address) => {
    expect(findAsset(assets, address)).toBeNull();
  });

  it('serves only files of the build for any request', () => {
    const known = new Set(assets.values());
    const piece = fc.oneof(
      fc.constantFrom('..', '.', '%2e%2e', '%2f', '%5c', '%00', '//', '\\', '/', '?', '#', '@'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const file = findAsset(assets, `app://mediadesk/${pieces.join('/')}`);
        expect(file === null || known.has(file)).toBe(true);
      }),
      { numRuns: 10_000 },
    );
  });

  it('sends the content type, and plain bytes when the type is unknown', () => {
    expect(contentTypeOf('/x/index.html')).toBe('text/html; charset=utf-8');
    expect(contentTypeOf('/x/A.JS')).toBe('text/javascript; charset=utf-8');
    expect(contentTypeOf('/x/noext')).toBe('application/octet-stream');
  });
});
