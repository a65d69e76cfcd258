// Makes the folder with the command line and the library service of a package: bundled programs, and the Node that runs them.
// The app itself can't run them: it would need a screen, and its ability to run as Node is switched off.
import { chmod, copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { run, runOrThrow } from '../processes.ts';
import { loadBuiltinsDirectly } from './builtin-imports.ts';
import { recordPackages } from './bundled-packages.ts';
import { copyNativePackages } from './native-packages.ts';

/** Packages that stay outside of the bundle. */
const NATIVE = ['keytar', 'sharp'] as const;
/** Never loaded: the Node of the package has a sound SQLite of its own. */
const UNUSED = ['@photostructure/sqlite'];

const PROGRAMS: Readonly<Record<string, { source: string; folder: string }>> = {
  installed: { source: 'electron/cli/installed.ts', folder: 'program' },
  serve: { source: 'service/serve.ts', folder: 'service' },
  'media-tags': { source: 'electron/engine/media-tags/thread-main.ts', folder: 'threads' },
  keytar: { source: 'electron/engine/ports/system/keytar-main.ts', folder: 'threads' },
  'picture-worker': { source: 'service/processing/tools/picture-worker.ts', folder: 'threads' },
};

/** Found through links to it, such as /usr/bin/mediadesk. */
const SHELL_LAUNCHER = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
exec "$here/node" "$here/program/installed.js" "$@"
`;
const WINDOWS_LAUNCHER = '@"%~dp0node.exe" "%~dp0program\\installed.js" %*\r\n';

export interface CliFolderOptions {
  projectDir: string;
  /** The folder to make; what is there is replaced. */
  folder: string;
  platform: NodeJS.Platform;
  arch: string;
}

/** Makes the folder. Its programs run on this system: Node and the native packages are those that npm installed here. */
export async function makeCliFolder({ projectDir, folder, platform, arch }: CliFolderOptions): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await bundle(projectDir, folder);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n');
  await copyNativePackages(join(projectDir, 'node_modules'), NATIVE, folder, `${platform}-${arch}`);
  await copyNode(projectDir, folder, platform);
  const writer = join(projectDir, 'electron', 'cli', 'write-shell-files.ts');
  await runOrThrow(process.execPath, [writer, join(folder, 'program'), join(folder, 'shell')], { cwd: projectDir });
}

async function bundle(projectDir: string, folder: string): Promise<void> {
  await build({
    configFile: false,
    plugins: [recordPackages(projectDir), loadBuiltinsDirectly()],
    root: projectDir,
    logLevel: 'warn',
    ssr: { noExternal: true, external: [...NATIVE, ...UNUSED] },
    build: {
      ssr: true,
      target: 'node24',
      // Halves the time to start.
      minify: true,
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: {
        input: Object.fromEntries(
          Object.entries(PROGRAMS).map(([name, { source }]) => [name, join(projectDir, source)]),
        ),
        output: {
          format: 'es',
          // Names in the stack of an internal error.
          keepNames: true,
          entryFileNames: ({ name }) => `${PROGRAMS[name]?.folder ?? 'program'}/[name].js`,
          chunkFileNames: 'program/[name]-[hash].js',
        },
      },
    },
  });
}

async function copyNode(projectDir: string, folder: string, platform: NodeJS.Platform): Promise<void> {
  const isWindows = platform === 'win32';
  const program = join(folder, isWindows ? 'node.exe' : 'node');
  await copyFile(join(projectDir, 'node_modules', 'node', 'bin', isWindows ? 'node.exe' : 'node'), program);
  if (isWindows) {
    await writeFile(join(folder, 'mediadesk.cmd'), WINDOWS_LAUNCHER);
    return;
  }
  await chmod(program, 0o755);
  // Symbols for debuggers: a seventh of the file. Without the tool, the program is only larger.
  if (platform === 'linux') await run('strip', ['--strip-unneeded', program]).catch(() => null);
  await writeFile(join(folder, 'mediadesk'), SHELL_LAUNCHER, { mode: 0o755 });
}
