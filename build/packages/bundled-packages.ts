// Records which npm packages are in a bundle: from the bundler's own graph, after it has left out what nothing uses.
import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Plugin } from 'vite';

/** Written into the output folder of each bundle; not part of a package. */
export const GRAPH_FILE = 'bundled-packages.json';

export interface BundledPackages {
  /** Folders of npm packages, relative to the project. */
  packages: string[];
  /** Modules and assets that are neither in a package nor in a folder of ours: there should be none. */
  unknown: string[];
  /** Chunks that only programs need which are not shipped with this bundle. */
  unshipped: string[];
}

/** Returns the folder of the npm package that contains a file; null when there is none. */
export function packageFolderOf(file: string): string | null {
  const mark = `node_modules${sep}`;
  const at = file.lastIndexOf(mark);
  if (at < 0) return null;
  const start = at + mark.length;
  const [first = '', second = ''] = file.slice(start).split(sep);
  return join(file.slice(0, start), first.startsWith('@') ? join(first, second) : first);
}

/** Modules that the bundler itself makes. The last one is empty, in place of a module of Node that the window doesn't have. */
const OF_THE_BUNDLER = /rolldown\/runtime|^vite\/|^__vite-browser-external|^__vite-optional-peer-dep:/;

type Bundle = Parameters<Extract<Plugin['generateBundle'], (...args: never[]) => unknown>>[1];

/** Returns the parts that the entries of these names load, now or later; without names, all. Assets always count. */
function shippedParts(bundle: Bundle, entries: readonly string[] | null): Bundle[string][] {
  const parts = Object.values(bundle);
  if (entries === null) return parts;
  const found = new Set(parts.filter((part) => part.type === 'asset' || (part.isEntry && entries.includes(part.name))));
  // A set visits what is added to it on the way.
  for (const part of found) {
    if (part.type === 'asset') continue;
    for (const file of [...part.imports, ...part.dynamicImports]) {
      const loaded = bundle[file];
      if (loaded !== undefined) found.add(loaded);
    }
  }
  return [...found];
}

/** The files from which these parts were made: modules with code in it, and assets such as fonts. */
function sourcesOf(parts: readonly Bundle[string][]): string[] {
  return parts.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : part.originalFileNames));
}

export interface RecordOptions {
  /** A prefix of the file's name, for bundles that share an output folder. */
  prefix?: string;
  /** The names of the entries that are shipped; all if there are none. */
  shipped?: readonly string[];
}

/** A Vite plugin that writes `GRAPH_FILE`. */
export function recordPackages(projectDir: string, { prefix = '', shipped }: RecordOptions = {}): Plugin {
  let root = projectDir;
  return {
    name: 'record-packages',
    configResolved(config) {
      // Paths of assets start at the root of the bundle.
      root = config.root;
    },
    generateBundle(_options, bundle) {
      const packages = new Set<string>();
      const unknown: string[] = [];
      // Styles leave no module in a chunk, but the graph still has them.
      const parts = shippedParts(bundle, shipped ?? null);
      for (const source of [...sourcesOf(parts), ...[...this.getModuleIds()].filter((id) => id.includes('.css'))]) {
        const [path = ''] = source.replaceAll('\0', '').split('?');
        if (path === '' || OF_THE_BUNDLER.test(path)) continue;
        const file = isAbsolute(path) ? path : resolve(root, path);
        const folder = packageFolderOf(file);
        if (folder !== null) packages.add(relative(projectDir, folder));
        else if (!existsSync(file)) unknown.push(source);
      }
      const content: BundledPackages = {
        packages: [...packages].sort(),
        unknown: [...new Set(unknown)].sort(),
        unshipped: Object.keys(bundle).filter((file) => bundle[file] && !parts.includes(bundle[file])),
      };
      this.emitFile({ type: 'asset', fileName: `${prefix}${GRAPH_FILE}`, source: JSON.stringify(content, null, 1) });
    },
  };
}

/** Reads a recorded graph. */
export function readGraph(file: string): BundledPackages {
  if (!existsSync(file)) throw new Error(`${file} is missing: run “npm run build” again.`);
  return JSON.parse(readFileSync(file, 'utf8')) as BundledPackages;
}
