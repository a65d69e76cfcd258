// The record of what a bundle contains, made by the bundler itself from a small project.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'vite';
import { afterAll, expect, it } from 'vitest';
import { GRAPH_FILE, readGraph, recordPackages } from '../../../build/packages/bundled-packages.ts';

const root = mkdtempSync(join(tmpdir(), 'graph-'));
afterAll(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const library = (name: string, files: Record<string, string>) => {
  write(
    `node_modules/${name}/package.json`,
    JSON.stringify({ name, version: '1.0.0', type: 'module', main: 'index.js', sideEffects: false }),
  );
  for (const [file, text] of Object.entries(files)) write(`node_modules/${name}/${file}`, text);
};

it('names every package with code, styles or fonts in the bundle, and no other', async () => {
  library('used', { 'index.js': 'export { inner } from "inner"; export const a = () => "a";' });
  library('used/node_modules/inner', { 'index.js': 'export const inner = () => "nested";' });
  library('@scope/lazy', { 'index.js': 'export const lazy = () => "lazy";' });
  library('unused', { 'index.js': 'export const unused = () => "unused";' });
  library('only-built-with', { 'index.js': '' });
  library('@scope/font', { 'font.woff2': 'x'.repeat(5000) });
  library('styles', { 'style.css': 'b { color: red }' });
  write('web/index.html', '<script type="module" src="/main.js"></script>');
  write('web/own.css', '@font-face { font-family: F; src: url("@scope/font/font.woff2") }\n');
  write(
    'web/main.js',
    'import { a, inner } from "used"; import { unused } from "unused"; import "./own.css"; import "styles/style.css";\n' +
      'console.log(a(), inner()); import("@scope/lazy").then(({ lazy }) => console.log(lazy()));',
  );
  await build({
    configFile: false,
    root: join(root, 'web'),
    logLevel: 'silent',
    plugins: [recordPackages(root)],
    build: { outDir: join(root, 'out'), emptyOutDir: true },
  });
  expect(readGraph(join(root, 'out', GRAPH_FILE))).toEqual({
    packages: [
      'node_modules/@scope/font',
      'node_modules/@scope/lazy',
      'node_modules/styles',
      'node_modules/used',
      'node_modules/used/node_modules/inner',
    ],
    unknown: [],
    unshipped: [],
  });
  expect(readFileSync(join(root, 'out', GRAPH_FILE), 'utf8')).not.toContain(root);
});

it('leaves out what only entries need that are not shipped, with the packages in it', async () => {
  library('of-both', { 'index.js': 'export const both = () => "both";' });
  library('of-one', { 'index.js': 'export const one = () => "one";' });
  library('of-other', { 'index.js': 'export const other = () => "other";' });
  write('two/one.js', 'import { both } from "of-both"; console.log(both()); import("of-one").then((m) => m.one());');
  write(
    'two/other.js',
    'import { both } from "of-both"; console.log(both()); import("of-other").then((m) => m.other());',
  );
  const outDir = join(root, 'out-two');
  await build({
    configFile: false,
    root: join(root, 'two'),
    logLevel: 'silent',
    plugins: [recordPackages(root, { prefix: 'two-', shipped: ['one'] })],
    build: {
      outDir,
      emptyOutDir: false,
      rolldownOptions: {
        input: { one: join(root, 'two', 'one.js'), other: join(root, 'two', 'other.js') },
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
      },
    },
  });
  const { packages, unshipped } = readGraph(join(outDir, `two-${GRAPH_FILE}`));
  expect(packages).toEqual(['node_modules/of-both', 'node_modules/of-one']);
  expect(unshipped).toContain('other.js');
  const texts = readdirSync(outDir, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js') && !unshipped.includes(file))
    .map((file) => readFileSync(join(outDir, file), 'utf8'));
  expect(texts.join()).toMatch(/[`"]one[`"]/);
  expect(texts.join()).not.toMatch(/[`"]other[`"]/);
});

it('says what to do when there is no record', () => {
  expect(() => readGraph(join(root, 'none.json'))).toThrow(/npm run build/);
});
