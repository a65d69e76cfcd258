// What the packages for Linux contain: the configuration of electron-builder, and the files of build/linux.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { packageVersion } from '../../../build/linux/distribution-packages.ts';
import { APP_ID } from '../../../build/linux/package-tree.ts';
import { MIME_TYPES, mimeTypeOf } from '../../../shared/model/media-types.ts';

const projectDir = join(import.meta.dirname, '..', '..', '..');
const load = createRequire(import.meta.url);
const linuxFile = (name: string) => readFileSync(join(projectDir, 'build', 'linux', name), 'utf8');

interface Packages {
  appId: string;
  entryFile: string;
  executableName: string;
  desktopName: string;
  homepage: string | null;
}

async function readPackages(): Promise<Packages> {
  const { Packager } = load('app-builder-lib/out/packager.js');
  const { LinuxPackager } = load('app-builder-lib/out/linuxPackager.js');
  const { LinuxTargetHelper } = load('app-builder-lib/out/targets/LinuxTargetHelper.js');
  const packager = new Packager({ projectDir, config: join(projectDir, 'build', 'electron-builder.yml') });
  await packager.validateConfig();
  const linux = new LinuxPackager(packager);
  return {
    appId: linux.appInfo.id,
    entryFile: new LinuxTargetHelper(linux).getDesktopFileName(),
    executableName: linux.executableName,
    desktopName: packager.metadata.desktopName,
    homepage: await linux.appInfo.computePackageUrl(),
  };
}

let packages: Packages;
beforeAll(async () => {
  packages = await readPackages();
}, 120_000);

/** The keys of the desktop entry that is installed. */
const entry: Record<string, string> = Object.fromEntries(
  linuxFile(`${APP_ID}.desktop`)
    .split('\n')
    .filter((line) => line.includes('='))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
);

describe('the id of the app', () => {
  it('is the same for the app, its window, the desktop entry, its icon and the software catalog', () => {
    expect(APP_ID).toBe('org.mediadesk.Mediadesk');
    expect(packages.appId).toBe(APP_ID);
    expect(packages.desktopName).toBe(`${APP_ID}.desktop`);
    expect(packages.entryFile).toBe(APP_ID);
    expect(entry).toMatchObject({ StartupWMClass: APP_ID, Icon: APP_ID });
    const metainfo = linuxFile(`${APP_ID}.metainfo.xml`);
    expect(metainfo).toContain(`<id>${APP_ID}</id>`);
    expect(metainfo).toContain(`<launchable type="desktop-id">${APP_ID}.desktop</launchable>`);
  });

  it('does not end like a file name, which desktops would cut off', () => {
    expect(APP_ID).not.toMatch(/\.desktop$/);
  });
});

describe('the desktop entry', () => {
  it('starts the program that electron-builder makes, whose name is not that of the command line', () => {
    expect(packages.executableName).toBe('mediadesk-desktop');
    expect(entry.Exec).toBe('mediadesk-desktop %U');
  });

  it('takes links of Mediadesk, and every kind of recording that the app knows', () => {
    const types = (entry.MimeType ?? '').split(';').filter((type) => type !== '');
    const recordings = Object.keys(MIME_TYPES)
      .map((extension) => mimeTypeOf(`file.${extension}`))
      .filter((type) => /^(audio|video)\/|\/mxf$/.test(type));
    expect(types).toEqual(['x-scheme-handler/mediadesk', ...new Set(recordings)]);
  });
});

describe('the AppArmor profile', () => {
  it('names the program where the packages install it', () => {
    expect(linuxFile('apparmor-profile')).toContain('profile mediadesk-desktop /usr/lib/mediadesk/mediadesk-desktop ');
  });
});

describe('the deb package', () => {
  const control = linuxFile('debian/control');
  const depends = (/\nDepends: ([\s\S]*?)\nRecommends/.exec(control)?.[1] ?? '').split(',').map((each) => each.trim());

  it('names the project’s address and its maintainer', () => {
    expect(packages.homepage).toBe(/\nHomepage: (.*)/.exec(control)?.[1]);
    expect(control).toMatch(/\nMaintainer: [^<>]+ <[^@\s]+@[\w.-]+\.\w+>\n/);
  });

  it('accepts the names of Debian 12 and those of later releases', () => {
    for (const name of ['libgtk-3-0', 'libasound2', 'libglib2.0-0', 'libatspi2.0-0', 'libcups2'])
      expect(depends).toContain(`${name}t64 | ${name}`);
  });
});

it('a version before a release is older than the release for dpkg and rpm', () => {
  expect(packageVersion('1.2.0')).toBe('1.2.0');
  expect(packageVersion('1.2.0-beta.1')).toBe('1.2.0~beta.1');
});
