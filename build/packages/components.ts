// The parts of a package that others wrote: npm packages in the bundles or beside them, and the runtimes.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Component {
  name: string;
  version: string;
  /** SPDX expression. */
  license: string;
  homepage: string | null;
  /** Of its package on npm; null for a runtime. */
  purl: string | null;
  /** The texts of its licence and its notices. */
  texts: string[];
}

interface Manifest {
  name: string;
  version: string;
  license?: string;
  homepage?: string;
  author?: string | { name?: string };
}

/** Licences whose texts packages name without including them. */
const SHARED_TEXTS: Readonly<Record<string, readonly string[]>> = {
  'LGPL-3.0-or-later': ['LGPL-3.0.txt', 'GPL-3.0.txt'],
};

/** Returns the facts about an npm package. Throws when it doesn't say its licence or has no text of it. */
export function componentOf(folder: string): Component {
  const { name, version, license, homepage, author } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Manifest;
  if (typeof license !== 'string') throw new Error(`${name} does not say its licence.`);
  const texts = [...licenceFiles(folder), ...sharedTexts(license)];
  if (licenceFiles(folder).length === 0) {
    const found = [licenceSection(folder) ?? [], mitText(license, author)].flat();
    if (found.length === 0) throw new Error(`${folder} has no text of its licence.`);
    texts.unshift(...found);
  }
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { name, version, license, homepage: homepage ?? null, purl, texts };
}

function licenceFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying|notice|authors\b)/i.test(name) && /(^[^.]+|\.(md|txt))$/i.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim());
}

function sharedTexts(license: string): string[] {
  const names = SHARED_TEXTS[license] ?? [];
  return names.map((name) => readFileSync(join(import.meta.dirname, 'licenses', name), 'utf8').trim());
}

/** The text that the description only links to, or that is missing: all packages with this licence have the same. */
function mitText(license: string, author: Manifest['author']): string[] {
  if (license !== 'MIT') return [];
  const own = readFileSync(join(import.meta.dirname, '..', '..', 'LICENSE'), 'utf8');
  const holder = typeof author === 'string' ? author : author?.name;
  if (holder === undefined) throw new Error('A package with the MIT licence names neither its text nor its author.');
  return [`Copyright (c) ${holder}\n\n${own.slice(own.indexOf('Permission is hereby granted')).trim()}`];
}

/** Some packages have the text, or a link to it, at the end of their description; null: this one does not. */
function licenceSection(folder: string): string | null {
  const name = readdirSync(folder).find((each) => /^readme(\.md)?$/i.test(each));
  const text = name === undefined ? '' : readFileSync(join(folder, name), 'utf8');
  const at = text.search(/^#+ *licen[cs]/im);
  return at < 0 ? null : text.slice(at).trim();
}

/** Returns the Node of the command line. `projectDir`: with the npm package that brings it. */
export function nodeComponent(projectDir: string, platform: string, arch: string): Component {
  const folder = join(
    projectDir,
    'node_modules',
    'node',
    'node_modules',
    `node-${platform === 'win32' ? 'win' : platform}-${arch}`,
  );
  // `npm ci` puts it there, but it is in no lock file: a later `npm install` removes it again.
  if (!existsSync(folder)) throw new Error(`There is no licence of Node in ${folder}. Run “npm ci”.`);
  const { version } = JSON.parse(
    readFileSync(join(projectDir, 'node_modules', 'node', 'package.json'), 'utf8'),
  ) as Manifest;
  const texts = licenceFiles(folder);
  return { name: 'Node.js', version, license: 'MIT', homepage: 'https://nodejs.org', purl: null, texts };
}

/** Returns Electron. Its licence and those of Chromium are files of their own in every package. */
export function electronComponent(projectDir: string, version: string): Component {
  const texts = licenceFiles(join(projectDir, 'node_modules', 'electron'));
  const note = 'The notices of Chromium, which Electron contains, are in LICENSES.chromium.html.';
  return {
    name: 'Electron',
    version,
    license: 'MIT',
    homepage: 'https://www.electronjs.org',
    purl: null,
    texts: [...texts, note],
  };
}
