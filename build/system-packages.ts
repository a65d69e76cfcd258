// The packages that Mediadesk needs from the operating system, and the pure decision about missing ones.

/**
 * Why a package is needed. `library`: Electron links to it; `display`: a screen and a keychain where there are none; `encoder`: tests
 * check the files of these programs; `desktop`: parts of other desktops than the virtual one (Wayland, a window manager, a launcher);
 * `store`: an object store, a form receiver or a proxy that the tests send to.
 */
type Purpose = 'library' | 'display' | 'media' | 'encoder' | 'desktop' | 'store';

export interface SystemPackage {
  /** Debian names, preferred first. Debian 13 and Ubuntu 24.04 renamed several libraries to …t64. */
  names: readonly [string, ...string[]];
  purpose: Purpose;
}

export const systemPackages: readonly SystemPackage[] = [
  { names: ['xvfb'], purpose: 'display' },
  { names: ['xauth'], purpose: 'display' },
  { names: ['x11-utils'], purpose: 'display' },
  { names: ['dbus'], purpose: 'display' },
  { names: ['gnome-keyring'], purpose: 'display' },
  { names: ['libsecret-1-0'], purpose: 'library' },
  { names: ['libgtk-3-0', 'libgtk-3-0t64'], purpose: 'library' },
  { names: ['libnss3'], purpose: 'library' },
  { names: ['libasound2', 'libasound2t64'], purpose: 'library' },
  { names: ['libgbm1'], purpose: 'library' },
  { names: ['libxss1'], purpose: 'library' },
  { names: ['libatk-bridge2.0-0', 'libatk-bridge2.0-0t64'], purpose: 'library' },
  { names: ['libnotify4'], purpose: 'library' },
  { names: ['libxtst6'], purpose: 'library' },
  { names: ['xdg-utils'], purpose: 'library' },
  { names: ['unzip'], purpose: 'library' },
  { names: ['fonts-noto-color-emoji'], purpose: 'display' },
  { names: ['ffmpeg'], purpose: 'media' },
  ...['flac', 'lame', 'opus-tools'].map((name): SystemPackage => ({ names: [name], purpose: 'encoder' })),
  ...['weston', 'openbox', 'xdotool', 'x11-xserver-utils', 'libunity9'].map(
    (name): SystemPackage => ({ names: [name], purpose: 'desktop' }),
  ),
];

/**
 * Object stores and form receivers for the tests in `test/destinations` (about 100 MB to download), a proxy for those in
 * `test/integration/engine/network`, and a database for those in `test/integration/service/postgres`. Installed only when asked for: where systemd runs, Debian starts some of them as services.
 */
export const storePackages: readonly SystemPackage[] = [
  ...['ceph-mon', 'ceph-osd', 'radosgw'],
  ...['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'memcached'],
  ...['nginx-light', 'php-fpm', 'gunicorn', 'python3-werkzeug', 'squid', 'postgresql'],
].map((name): SystemPackage => ({ names: [name], purpose: 'store' }));

/** How the desktop is going to run: not at all, on the user's screen, or on a virtual one (tests, unattended demo). */
export type DesktopUse = 'none' | 'display' | 'virtual';

export interface Machine {
  platform: NodeJS.Platform;
  /** Whether dpkg and apt-get manage the packages of this machine. */
  debian: boolean;
  root: boolean;
  /** The names of installed Debian packages, at least of the requested ones. */
  installed: ReadonlySet<string>;
}

export type PackagePlan =
  | { kind: 'ready' }
  /** Debian and root: install these packages now. The caller chooses the name that the release knows. */
  | { kind: 'install'; packages: readonly SystemPackage[] }
  /** The user has to run a command; `required` is empty when only optional packages are missing, so work can continue. */
  | { kind: 'ask'; command: string; required: readonly string[]; optional: readonly string[] }
  /** Linux without dpkg: the installed packages are unknown, so only the needed ones are listed. */
  | { kind: 'unknown'; needed: readonly string[] };

const purposesFor: Record<DesktopUse, readonly Purpose[]> = {
  none: ['media'],
  display: ['library', 'media'],
  virtual: ['library', 'display', 'media', 'encoder', 'desktop'],
};

/** Returns the packages that this use of the desktop needs. */
export function packagesFor(desktop: DesktopUse): SystemPackage[] {
  const purposes = purposesFor[desktop];
  return systemPackages.filter((each) => purposes.includes(each.purpose));
}

/** Without these, some tests are skipped. */
const OPTIONAL: readonly Purpose[] = ['media', 'encoder', 'desktop'];
const isOptional = ({ purpose }: SystemPackage) => OPTIONAL.includes(purpose);

/** Decides about missing packages of the operating system. */
export function planPackages(machine: Machine, desktop: DesktopUse): PackagePlan {
  if (machine.platform !== 'linux') return { kind: 'ready' };
  const wanted = packagesFor(desktop);
  if (!machine.debian) {
    const needed = wanted.filter((each) => !isOptional(each)).map((each) => each.names[0]);
    return needed.length > 0 ? { kind: 'unknown', needed } : { kind: 'ready' };
  }
  const missing = wanted.filter((each) => !each.names.some((name) => machine.installed.has(name)));
  if (missing.length === 0) return { kind: 'ready' };
  if (machine.root) return { kind: 'install', packages: missing };
  const namesOf = (packages: readonly SystemPackage[]) => packages.map((each) => each.names[0]);
  return {
    kind: 'ask',
    command: `sudo apt-get update && sudo apt-get install -y --no-install-recommends ${namesOf(missing).join(' ')}`,
    required: namesOf(missing.filter((each) => !isOptional(each))),
    optional: namesOf(missing.filter((each) => isOptional(each))),
  };
}

/** Reads `dpkg-query -W -f '${Package} ${db:Status-Status}\n'`: names whose status is exactly "installed". */
export function readInstalled(dpkgOutput: string): Set<string> {
  const installed = new Set<string>();
  for (const line of dpkgOutput.split('\n')) {
    const [name, status] = line.trim().split(' ');
    if (name && status === 'installed') installed.add(name);
  }
  return installed;
}

/** Reads `apt-cache policy`: returns names that the configured sources can really install (a virtual name has no candidate). */
export function readCandidates(policyOutput: string): Set<string> {
  const candidates = new Set<string>();
  let current = '';
  for (const line of policyOutput.split('\n')) {
    const heading = /^(\S+?):$/.exec(line);
    if (heading?.[1]) current = heading[1];
    const candidate = /^\s+Candidate:\s+(\S+)/.exec(line);
    if (candidate && candidate[1] !== '(none)' && current) candidates.add(current);
  }
  return candidates;
}

/**
 * Returns, for each package, the first name that can be installed; the preferred name if none can, so that apt reports the
 * reason.
 */
export function chooseNames(packages: readonly SystemPackage[], candidates: ReadonlySet<string>): string[] {
  return packages.map((each) => each.names.find((name) => candidates.has(name)) ?? each.names[0]);
}
