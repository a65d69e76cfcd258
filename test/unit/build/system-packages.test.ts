import { describe, expect, it } from 'vitest';
import {
  chooseNames,
  type Machine,
  packagesFor,
  planPackages,
  readCandidates,
  readInstalled,
  storePackages,
  systemPackages,
} from '../../../build/system-packages.ts';

const everything = new Set(systemPackages.map((each) => each.names[0]));
const debian: Machine = { platform: 'linux', debian: true, root: true, installed: everything };
const without = (...names: string[]) => new Set([...everything].filter((name) => !names.includes(name)));

describe('the advice about system packages', () => {
  it('is empty when everything is installed, and on other systems', () => {
    expect(planPackages(debian, 'virtual')).toEqual({ kind: 'ready' });
    expect(planPackages({ ...debian, platform: 'darwin', debian: false, installed: new Set() }, 'virtual')).toEqual({
      kind: 'ready',
    });
    expect(planPackages({ ...debian, platform: 'win32', debian: false, installed: new Set() }, 'virtual')).toEqual({
      kind: 'ready',
    });
  });

  it('is to install exactly the missing packages, as root on Debian', () => {
    const plan = planPackages({ ...debian, installed: without('xvfb', 'libnss3') }, 'virtual');
    expect(plan).toMatchObject({ kind: 'install', packages: [{ names: ['xvfb'] }, { names: ['libnss3'] }] });
  });

  it('is one command to run for a user who is not root', () => {
    const plan = planPackages({ ...debian, root: false, installed: without('xvfb', 'ffmpeg') }, 'virtual');
    expect(plan).toEqual({
      kind: 'ask',
      command: 'sudo apt-get update && sudo apt-get install -y --no-install-recommends xvfb ffmpeg',
      required: ['xvfb'],
      optional: ['ffmpeg'],
    });
  });

  it('requires nothing of the desktop when no desktop is started, and never ffmpeg', () => {
    const plan = planPackages({ ...debian, root: false, installed: new Set() }, 'none');
    expect(plan).toMatchObject({ kind: 'ask', required: [], optional: ['ffmpeg'] });
  });

  it('requires no virtual screen when there is a real one', () => {
    const names = packagesFor('display').map((each) => each.names[0]);
    expect(names).toContain('libgtk-3-0');
    expect(names).not.toContain('xvfb');
    expect(names).not.toContain('gnome-keyring');
  });

  it('includes an emoji font for the virtual screen', () => {
    expect(packagesFor('virtual').map((each) => each.names[0])).toContain('fonts-noto-color-emoji');
  });

  it('accepts a renamed library as the same library', () => {
    const installed = new Set([...without('libgtk-3-0', 'libasound2'), 'libgtk-3-0t64', 'libasound2t64']);
    expect(planPackages({ ...debian, installed }, 'virtual')).toEqual({ kind: 'ready' });
  });

  it('names the required packages on a Linux without dpkg', () => {
    const plan = planPackages({ ...debian, debian: false, installed: new Set() }, 'virtual');
    expect(plan).toMatchObject({ kind: 'unknown', needed: expect.arrayContaining(['xvfb', 'libgtk-3-0']) });
  });
});

describe('the evaluation of the output of the package tools', () => {
  it('counts a package as installed only when it is completely installed', () => {
    const output =
      'xvfb installed\nxauth config-files\nunzip half-installed\nlibnss3 installed\nffmpeg not-installed\n';
    expect([...readInstalled(output)]).toEqual(['xvfb', 'libnss3']);
  });

  it('selects the package name that this release offers', () => {
    const policy = [
      'libgtk-3-0:',
      '  Installed: (none)',
      '  Candidate: (none)',
      '  Version table:',
      'libgtk-3-0t64:',
      '  Installed: (none)',
      '  Candidate: 3.24.49-3',
      '  Version table:',
      '     3.24.49-3 500',
      '        500 http://deb.example/debian trixie/main amd64 Packages',
      'xvfb:',
      '  Installed: (none)',
      '  Candidate: 2:21.1.7-3',
    ].join('\n');
    const packages = systemPackages.filter((each) => ['libgtk-3-0', 'xvfb', 'unzip'].includes(each.names[0]));
    expect(chooseNames(packages, readCandidates(policy))).toEqual(['xvfb', 'libgtk-3-0t64', 'unzip']);
  });
});

it('the object stores of the tests are installed only when they are requested', () => {
  expect(storePackages.length).toBeGreaterThan(0);
  for (const desktop of ['none', 'display', 'virtual'] as const) {
    expect(packagesFor(desktop).filter(({ purpose }) => purpose === 'store')).toEqual([]);
  }
});
