// Lays out the files of a Linux package, for deb and rpm alike, below a folder that stands for the root of the system.
import { chmod, cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export const APP_ID = 'org.mediadesk.Mediadesk';
const HOME = 'usr/lib/mediadesk';

export interface TreeOptions {
  projectDir: string;
  /** The app folder that electron-builder made. */
  app: string;
  /** The folder to make; what is there is replaced. */
  tree: string;
  version: string;
  /** Of the release, in ISO 8601: a day. */
  date: string;
}

/** Where files of the app folder and of the repository are installed. */
function placesOf({ projectDir }: TreeOptions): readonly [source: string, target: string][] {
  const linux = join(projectDir, 'build', 'linux');
  return [
    [join(linux, 'apparmor-profile'), `${HOME}/apparmor-profile`],
    [join(linux, `${APP_ID}.desktop`), `usr/share/applications/${APP_ID}.desktop`],
    [join(linux, 'debian', 'copyright'), 'usr/share/doc/mediadesk/copyright'],
    [join(linux, 'mediadesk-desktop.1'), 'usr/share/man/man1/mediadesk-desktop.1'],
    [join(projectDir, 'build', 'icons', 'icon.svg'), `usr/share/icons/hicolor/scalable/apps/${APP_ID}.svg`],
  ];
}

/** The files for shells, which the app folder brings. */
const SHELL_FILES: readonly [name: string, target: string][] = [
  ['mediadesk.1', 'usr/share/man/man1/mediadesk.1'],
  ['mediadesk.bash', 'usr/share/bash-completion/completions/mediadesk'],
  ['_mediadesk', 'usr/share/zsh/vendor-completions/_mediadesk'],
  ['mediadesk.fish', 'usr/share/fish/vendor_completions.d/mediadesk.fish'],
];

const LINKS: readonly [target: string, path: string][] = [
  ['../../../lib/mediadesk/resources/NOTICES.txt', 'usr/share/doc/mediadesk/NOTICES.txt'],
  ['../../../lib/mediadesk/resources/sbom.cdx.json', 'usr/share/doc/mediadesk/sbom.cdx.json'],
  ['../lib/mediadesk/resources/cli/mediadesk', 'usr/bin/mediadesk'],
  ['../lib/mediadesk/mediadesk-desktop', 'usr/bin/mediadesk-desktop'],
];

/** Makes the tree. Modes are those of an installed system, whatever the umask is. */
export async function makePackageTree(options: TreeOptions): Promise<void> {
  const { projectDir, app, tree } = options;
  await rm(tree, { recursive: true, force: true });
  await cp(app, await parentOf(join(tree, HOME)), { recursive: true });
  const shell = join(tree, HOME, 'resources', 'cli', 'shell');
  for (const [name, target] of SHELL_FILES) await rename(join(shell, name), await parentOf(join(tree, target)));
  await rm(shell, { recursive: true });
  for (const [source, target] of placesOf(options)) await cp(source, await parentOf(join(tree, target)));
  for (const size of await iconSizes(projectDir)) {
    const target = join(tree, `usr/share/icons/hicolor/${size}/apps/${APP_ID}.png`);
    await cp(join(projectDir, 'build', 'icons', `${size}.png`), await parentOf(target));
  }
  const metainfo = await readFile(join(projectDir, 'build', 'linux', `${APP_ID}.metainfo.xml`), 'utf8');
  const filled = metainfo.replace('@VERSION@', options.version).replace('@DATE@', options.date);
  await writeFile(await parentOf(join(tree, `usr/share/metainfo/${APP_ID}.metainfo.xml`)), filled);
  for (const [target, path] of LINKS) await symlink(target, await parentOf(join(tree, path)));
  await setModes(tree);
}

async function parentOf(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  return path;
}

async function iconSizes(projectDir: string): Promise<string[]> {
  const names = await readdir(join(projectDir, 'build', 'icons'));
  return names.flatMap((name) => /^(\d+x\d+)\.png$/.exec(name)?.[1] ?? []);
}

/** Programs keep their permission to run; everything is readable by all and writable by root. */
async function setModes(tree: string): Promise<void> {
  await chmod(tree, 0o755);
  for (const entry of await readdir(tree, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o755);
    else if (entry.isFile()) await chmod(path, isProgram(path, entry.name) ? 0o755 : 0o644);
  }
}

const PROGRAMS: ReadonlySet<string> = new Set([
  'mediadesk-desktop',
  'chrome-sandbox',
  'chrome_crashpad_handler',
  'node',
]);

function isProgram(path: string, name: string): boolean {
  return PROGRAMS.has(name) || path.endsWith('/resources/cli/mediadesk');
}
