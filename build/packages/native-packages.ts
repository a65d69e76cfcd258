// Copies npm packages with native parts, which can't be bundled: their files are found relative to their own folders.
import { cp, mkdir, readFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

async function readManifest(folder: string): Promise<Manifest | null> {
  try {
    return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Needed to compile a package only; the prebuilt ones are used. */
const COMPILERS: ReadonlySet<string> = new Set(['node-addon-api']);

/**
 * Returns the names of packages and of everything that they need and that is installed: of optional ones, those for this system.
 * `nodeModules`: the folder with the packages.
 */
async function nativePackages(nodeModules: string, names: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name) || COMPILERS.has(name)) continue;
    const manifest = await readManifest(join(nodeModules, name));
    if (manifest === null) continue;
    found.add(name);
    waiting.push(...Object.keys(manifest.dependencies ?? {}), ...Object.keys(manifest.optionalDependencies ?? {}));
  }
  for (const name of names)
    if (!found.has(name)) throw new Error(`The package ${name} is not installed in ${nodeModules}.`);
  return [...found].sort();
}

/** Folders of packages that a program does not load. */
const LEFT_OUT: ReadonlySet<string> = new Set(['src', 'script', 'install', 'include', 'glib-2.0', 'bin']);

/** Whether a file of a package is needed to run it. `path`: inside the package; `target`: such as `linux-x64`. */
function isNeededFile(path: string, target: string): boolean {
  const parts = path.split('/');
  if (parts.some((part) => LEFT_OUT.has(part))) return false;
  const at = parts.indexOf('prebuilds');
  if (at >= 0 && parts.length > at + 1 && parts[at + 1] !== target) return false;
  const name = basename(path);
  if (/^(LICEN[CS]E|NOTICE|COPYING)/i.test(name)) return true;
  return !/\.(md|gyp|map|c?ts|txt|range\.bnf)$/.test(name);
}

/** Copies packages into `target/node_modules`, without what they don't need to run. */
export async function copyNativePackages(
  nodeModules: string,
  names: readonly string[],
  folder: string,
  target: string,
): Promise<void> {
  for (const name of await nativePackages(nodeModules, names)) {
    const from = join(nodeModules, name);
    const to = join(folder, 'node_modules', name);
    await mkdir(to, { recursive: true });
    await cp(from, to, {
      recursive: true,
      filter: (source) => source === from || isNeededFile(relative(from, source).replaceAll('\\', '/'), target),
    });
  }
}
