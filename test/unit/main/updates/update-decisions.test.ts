import { describe, expect, it } from 'vitest';
import { restartArguments } from '../../../../electron/main/updates/restart-arguments.ts';
import { isInStage } from '../../../../electron/main/updates/stage.ts';
import {
  isSafeAddress,
  ownAppImage,
  updateInstaller,
  updateSource,
} from '../../../../electron/main/updates/update-source.ts';
import { compareVersions, isVersion } from '../../../../shared/model/updates/versions.ts';

const built = { feedUrl: 'https://updates.example.org/', keys: ['a', 'b'] };

describe('the source of updates', () => {
  it('is that of the build in a package, whatever the environment says', () => {
    const environment = { MEDIADESK_UPDATE_FEED: 'http://127.0.0.1:1/', MEDIADESK_UPDATE_KEYS: 'c' };
    expect(updateSource({ built, isPackaged: true, environment })).toBe(built);
    expect(updateSource({ built: null, isPackaged: true, environment })).toBeNull();
  });

  it('is a server on this computer only, for an app that runs from its sources', () => {
    const of = (feed: string, keys: string | undefined = 'c d') =>
      updateSource({
        built,
        isPackaged: false,
        environment: { MEDIADESK_UPDATE_FEED: feed, MEDIADESK_UPDATE_KEYS: keys },
      });
    expect(of('http://127.0.0.1:1/')).toEqual({ feedUrl: 'http://127.0.0.1:1/', keys: ['c', 'd'] });
    expect(of('https://updates.example.org/')).toBeNull();
    expect(of('http://127.0.0.1.example.org/')).toBeNull();
    expect(of('nothing')).toBeNull();
    expect(updateSource({ built, isPackaged: false, environment: {} })).toBeNull();
  });

  it.each([
    ['https://updates.example.org/', true],
    ['http://127.0.0.1:8080/', true],
    ['http://[::1]/', true],
    ['http://updates.example.org/', false],
    ['http://127.0.0.1.example.org/', false],
    ['ftp://updates.example.org/', false],
    ['file:///updates/', false],
  ])('is fetched from %s: %j', (address, isSafe) => {
    expect(isSafeAddress(new URL(address))).toBe(isSafe);
  });
});

describe('who installs', () => {
  const environment = { APPIMAGE: '/home/anna/Mediadesk.AppImage', APPDIR: '/tmp/.mount_Media' };
  const program = '/tmp/.mount_Media/mediadesk-desktop';

  it.each([
    ['linux', '/usr/lib/mediadesk/mediadesk-desktop', {}, 'package-manager'],
    ['linux', program, environment, 'app'],
    ['darwin', '/Applications/Mediadesk.app/Contents/MacOS/Mediadesk', {}, 'app'],
    ['win32', 'C:\\Mediadesk\\Mediadesk.exe', {}, 'app'],
  ] as const)('on %s, for %s', (platform, path, variables, who) => {
    expect(updateInstaller({ platform, hasSource: true, program: path, environment: variables })).toBe(who);
    expect(updateInstaller({ platform, hasSource: false, program: path, environment: variables })).toBe('nobody');
  });

  it('never replaces the AppImage of another program, whose variables were inherited', () => {
    expect(ownAppImage({ program: '/usr/lib/mediadesk/mediadesk-desktop', environment })).toBeNull();
    expect(ownAppImage({ program: '/tmp/.mount_Media2/mediadesk-desktop', environment })).toBeNull();
    expect(ownAppImage({ program, environment: { ...environment, APPDIR: '' } })).toBeNull();
    expect(ownAppImage({ program, environment: { ...environment, APPIMAGE: 'Mediadesk.AppImage' } })).toBeNull();
    expect(ownAppImage({ program, environment })).toBe(environment.APPIMAGE);
  });
});

describe('the share of installations', () => {
  const ids = Array.from({ length: 1_000 }, (_, index) => `installation ${index}`);

  it('is about the wanted one', () => {
    const chosen = ids.filter((id) => isInStage(id, '0.2.0', 10));
    expect(chosen.length).toBeGreaterThanOrEqual(70);
    expect(chosen.length).toBeLessThanOrEqual(130);
  });

  it('only grows when the percentage does', () => {
    const of = (percentage: number) => ids.filter((id) => isInStage(id, '0.2.0', percentage));
    const [ten, half] = [of(10), new Set(of(50))];
    expect(ten.every((id) => half.has(id))).toBe(true);
    expect(of(0)).toEqual([]);
    expect(of(100)).toEqual(ids);
  });

  it('has other installations with another version', () => {
    const both = ids.filter((id) => isInStage(id, '0.2.0', 10) && isInStage(id, '0.3.0', 10));
    expect(both.length).toBeLessThan(30);
  });
});

describe('versions', () => {
  it('are compared by the precedence of Semantic Versioning', () => {
    const ascending = ['0.0.1', '0.1.0-alpha', '0.1.0-alpha.1', '0.1.0-alpha.beta', '0.1.0-beta', '0.1.0-beta.2'];
    ascending.push('0.1.0-beta.11', '0.1.0-rc.1', '0.1.0', '0.1.1', '0.2.0', '0.10.0', '1.0.0-0', '1.0.0');
    for (const [index, version] of ascending.entries()) {
      for (const [other, later] of ascending.entries()) {
        expect(Math.sign(compareVersions(version, later)), `${version} and ${later}`).toBe(Math.sign(index - other));
      }
    }
  });

  it.each([
    '',
    '1',
    '1.2',
    '01.2.3',
    '1.2.3.4',
    'v1.2.3',
    '1.2.3 ',
    '1.2.3-',
    '1.2.3+5',
    '9999999999.0.0',
    '1.2.3-a b',
  ])('are not %j', (text) => {
    expect(isVersion(text)).toBe(false);
    expect(() => compareVersions(text, '1.0.0')).toThrow(RangeError);
  });
});

describe('a start after an update', () => {
  it('has the profile and the switches of this start, and opens no file again', () => {
    const command = ['/opt/Mediadesk.AppImage', '--profile=/p'];
    const given = ['--no-sandbox', '--profile', '/p', '/home/anna/a.mp4', 'mediadesk://x', '--hidden', '--profile=/p'];
    expect(restartArguments(command, given)).toEqual(['--profile=/p', '--no-sandbox']);
  });
});
