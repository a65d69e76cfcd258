// The result of electron-builder for our configuration: the deb package and its desktop entry.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';

const projectDir = join(import.meta.dirname, '..', '..', '..');
const load = createRequire(import.meta.url);

interface Packages {
  /** Lines of the desktop entry by their key. */
  entry: Record<string, string>;
  fileName: string;
  homepage: string | null;
  maintainer: string;
  executableName: string;
  desktopName: string;
}

async function readPackages(): Promise<Packages> {
  const { Packager } = load('app-builder-lib/out/packager.js');
  const { LinuxPackager } = load('app-builder-lib/out/linuxPackager.js');
  const { LinuxTargetHelper } = load('app-builder-lib/out/targets/LinuxTargetHelper.js');
  const packager = new Packager({ projectDir, config: join(projectDir, 'build', 'electron-builder.yml') });
  await packager.validateConfig();
  const linux = new LinuxPackager(packager);
  const helper = new LinuxTargetHelper(linux);
  const options = linux.platformSpecificBuildOptions;
  const text: string = await helper.computeDesktopEntry(options);
  const lines = text.split('\n').filter((line) => line.includes('='));
  return {
    entry: Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    ),
    fileName: helper.getDesktopFileName(),
    homepage: await linux.appInfo.computePackageUrl(),
    maintainer: options.maintainer,
    executableName: linux.executableName,
    desktopName: packager.metadata.desktopName,
  };
}

let packages: Packages;
beforeAll(async () => {
  packages = await readPackages();
});

it('the desktop entry names the app, its program, its icon and its category', () => {
  expect(packages.entry).toMatchObject({
    Name: 'Mediadesk',
    Type: 'Application',
    Terminal: 'false',
    Icon: 'mediadesk',
    Categories: 'AudioVideo;',
    GenericName: 'Media library uploader',
  });
  expect(packages.entry.Exec).toBe('/opt/Mediadesk/mediadesk %U');
  expect(packages.entry.Comment).toMatch(/^Uploads recordings/);
});

it('the window, the desktop entry’s file and its StartupWMClass have the same name', () => {
  expect(packages.desktopName).toBe('mediadesk.desktop');
  expect(packages.fileName).toBe('mediadesk');
  expect(packages.entry.StartupWMClass).toBe('mediadesk');
  expect(packages.executableName).toBe('mediadesk');
});

it('the deb package names the project’s address and its maintainer', () => {
  expect(packages.homepage).toMatch(/^https:\/\/[\w.-]+\.\w+/);
  expect(packages.maintainer).toMatch(/^[^<>]+ <[^@\s]+@[\w.-]+\.\w+>$/);
});
