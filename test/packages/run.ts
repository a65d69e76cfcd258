// `npm run test:packages [-- --required]`: installs the deb on a fresh Debian 12 and uses it as an ordinary user, and checks the rpm.
// Needs root, debootstrap and access to Debian's archive; without them it says so and ends, with `--required` as a failure.
import { strict as assert } from 'node:assert';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { LAYERS } from '../../build/checks/layer-rules.ts';
import { run, runOrThrow } from '../../build/processes.ts';
import { type FreshSystem, missingPrograms, startFreshSystem } from './fresh-system.ts';
import { type Library, uploadInWindow } from './window-job.ts';

const projectDir = resolve(import.meta.dirname, '..', '..');
const LARGEST_BYTES = 130 * 1024 ** 2;
const START_WITHIN_MS = 120_000;
const say = (line: string) => console.log(`packages: ${line}`);

/** A desktop session: screen, bus, keyring, library service and the app, whose debugging port the test uses. */
const SESSION = `
mkdir -p -m 700 run; export XDG_RUNTIME_DIR=$HOME/run LANG=C.UTF-8
Xvfb -displayfd 3 -screen 0 1280x800x24 -nolisten tcp 3>screen >xvfb.log 2>&1 &
dbus-daemon --session --nofork --print-address=3 3>bus >bus.log 2>&1 &
until [ -s screen ] && [ -s bus ]; do sleep 0.1; done
export DISPLAY=:$(cat screen) DBUS_SESSION_BUS_ADDRESS=$(head -n 1 bus)
printf test | gnome-keyring-daemon --foreground --unlock --components=secrets >keyring.log 2>&1 &
mediadesk service --data library --seed demo >library.json 2>library.log &
env >session.env
exec mediadesk-desktop --remote-debugging-port=0 >app.out 2>app.err
`;
/** Commands in this session. */
const IN_SESSION = 'export DBUS_SESSION_BUS_ADDRESS=$(head -n 1 bus) XDG_RUNTIME_DIR=$HOME/run;';

async function packagesIn(folder: string): Promise<{ deb: string; rpm: string } | null> {
  const names = await readdir(folder).catch(() => []);
  const path = (ending: string) => names.filter((name) => name.endsWith(ending)).map((name) => join(folder, name))[0];
  const [deb, rpm] = [path('.deb'), path('.rpm')];
  return deb === undefined || rpm === undefined ? null : { deb, rpm };
}

/** Waits until a text is there. */
async function whenThere<T>(what: string, read: () => Promise<T | null>): Promise<T> {
  for (const giveUpAt = Date.now() + START_WITHIN_MS; Date.now() < giveUpAt; ) {
    const value = await read();
    if (value !== null) return value;
    await new Promise((done) => setTimeout(done, 200));
  }
  throw new Error(`${what} did not come.`);
}

const textOf = (path: string) => readFile(path, 'utf8').catch(() => '');

/** Checks the package itself. */
async function checkDeb(deb: string): Promise<void> {
  const { size } = await stat(deb);
  say(`deb: ${(size / 1024 ** 2).toFixed(1)} MiB`);
  assert.ok(size <= LARGEST_BYTES, 'the deb is larger than 130 MiB');
  if ((await missingPrograms(['lintian'])).length > 0) return say('lintian is not installed: not run');
  const { stdout } = await run('lintian', ['--no-cfg', '--allow-root', '--fail-on', 'none', deb]);
  const found = stdout.split('\n').filter((line) => line !== '');
  for (const line of found) say(`lintian: ${line}`);
  assert.ok(!found.some((line) => line.startsWith('E:')), 'lintian finds errors');
  say(`ok  lintian finds ${found.length === 0 ? 'nothing' : 'no errors'}`);
}

async function checkFiles(system: FreshSystem): Promise<void> {
  const entry = '/usr/share/applications/org.mediadesk.Mediadesk.desktop';
  await system.asRoot(`desktop-file-validate ${entry}`);
  await system.asRoot('appstreamcli validate --no-net /usr/share/metainfo/org.mediadesk.Mediadesk.metainfo.xml');
  const query = 'xdg-mime query default x-scheme-handler/mediadesk';
  assert.equal((await system.asUser(`XDG_CURRENT_DESKTOP=none ${query}`)).trim(), 'org.mediadesk.Mediadesk.desktop');
  say('ok  desktop entry, catalog entry and the handler of mediadesk:// are valid');
}

/** The installed program has no way into it that development needs. */
async function checkFuses(system: FreshSystem): Promise<void> {
  const fuses = await getCurrentFuseWire(system.outside('/usr/lib/mediadesk/mediadesk-desktop'));
  const off = ['RunAsNode', 'EnableNodeOptionsEnvironmentVariable', 'EnableNodeCliInspectArguments'] as const;
  for (const name of off) assert.equal(fuses[FuseV1Options[name]], FuseState.DISABLE, name);
  for (const name of ['EnableEmbeddedAsarIntegrityValidation', 'OnlyLoadAppFromAsar'] as const)
    assert.equal(fuses[FuseV1Options[name]], FuseState.ENABLE, name);
  say('ok  the app runs no other code than its own');
}

/**
 * Every package that our sources import, and every one beside the bundles, is in the notices. The import rules name the first
 * independently of the bundlers.
 */
async function checkNotices(system: FreshSystem): Promise<void> {
  const notices = await textOf(system.outside('/usr/share/doc/mediadesk/NOTICES.txt'));
  const modules = '/usr/lib/mediadesk/resources/cli/node_modules';
  const beside = (await system.asRoot(`cd ${modules} && ls -d * @*/*`))
    .split('\n')
    .filter((name) => /^[^@]|\//.test(name));
  const used = new Set([...importedPackages(), ...beside]);
  const missing = [...used].filter((name) => !notices.includes(`\n${NOTICE_NAMES[name] ?? name} `));
  assert.equal(missing.join(', '), '', 'packages are not in the notices');
  await system.asRoot(
    'test -s /usr/lib/mediadesk/LICENSES.chromium.html && test -s /usr/share/doc/mediadesk/copyright',
  );
  say(`ok  the notices name all ${used.size} packages that are imported or lie beside the bundles`);
}

/** The names that packages give themselves, where npm installs them under another one. */
const NOTICE_NAMES: Readonly<Record<string, string>> = { keytar: '@github/keytar', electron: 'Electron' };

function importedPackages(): string[] {
  return LAYERS.filter(({ folder }) => folder !== 'build').flatMap(({ packages }) => packages);
}

async function checkCommandLine(system: FreshSystem): Promise<void> {
  const version = await system.asUser('mediadesk --version');
  assert.match(version, /^\d+\.\d+\.\d+/);
  const sharp = `import("sharp").then(({ default: s }) => s({ create: { width: 4, height: 4, channels: 3, background: "red" } }).png().toBuffer())`;
  await system.asUser(`cd /usr/lib/mediadesk/resources/cli/program && ../node -e '${sharp}'`);
  const page = await system.asUser('man -P cat mediadesk');
  assert.ok(page.includes('queue list'), 'the manual page is not complete');
  say(`ok  mediadesk ${version.trim()}, its manual page and its picture library work`);
}

/** Does the main job in the window, and looks at it from the command line afterwards. */
async function checkWindow(system: FreshSystem): Promise<void> {
  await writeFile(system.outside('/home/user/session.sh'), SESSION);
  const app = system.start('. ./session.sh');
  const home = (name: string) => system.outside(`/home/user/${name}`);
  const port = await whenThere('the window', async () => {
    const [, found] = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(await textOf(home('app.err'))) ?? [];
    return found === undefined ? null : Number(found);
  });
  const library = await whenThere('the library service', async () => {
    const text = await textOf(home('library.json'));
    return text.endsWith('\n') ? (JSON.parse(text) as Library) : null;
  });
  await system.asUser('head -c 3000000 /dev/urandom > recording.bin');
  const picture = join(projectDir, 'test-results', 'installed-window.png');
  await mkdir(join(projectDir, 'test-results'), { recursive: true });
  const state = await uploadInWindow(port, library, 'Physics', '/home/user/recording.bin', picture);
  assert.equal(state, 'complete');
  say(`ok  an ordinary user signed in and uploaded a file in the window (${picture})`);
  const renderer = await system.asRoot('pgrep -f -- --type=renderer | head -n 1');
  const status = await system.asRoot(`cat /proc/${renderer.trim()}/status`);
  assert.match(status, /^Seccomp:\s+2$/m);
  const [own, init] = await Promise.all(
    [renderer.trim(), '1'].map((pid) => system.asRoot(`readlink /proc/${pid}/ns/pid`)),
  );
  assert.notEqual(own, init, 'the page runs outside of the sandbox');
  say('ok  the page runs in the sandbox');
  await checkUpgrade(system);
  const ended = new Promise((done) => app.once('exit', done));
  await system.asRoot('pkill -TERM -o -x mediadesk-deskt');
  await ended;
  const [item] = (await system.asUser(`${IN_SESSION} mediadesk queue list --json`)).split('\n');
  assert.match(item ?? '', /"state":"complete"/);
  await system.asUser(`${IN_SESSION} mediadesk collections > collections.txt && grep -q Physics collections.txt`);
  say('ok  the command line uses the queue and the sign-in of the window');
  await checkNoSandbox(system);
}

/** An option that would switch the sandbox off is refused with the reason. */
async function checkNoSandbox(system: FreshSystem): Promise<void> {
  await system.asUser(`${IN_SESSION} export DISPLAY=:$(cat screen)
    mediadesk-desktop --no-sandbox >/dev/null 2>refused.err & app=$!
    timeout 60 sh -c 'until grep -q app.no-sandbox refused.err; do sleep 0.1; done'
    kill $app`);
  say('ok  the app doesn’t start without the sandbox');
}

async function checkUpgrade(system: FreshSystem): Promise<void> {
  await system.asRoot(`cd /tmp && dpkg-deb --raw-extract mediadesk.deb newer
    sed -i 's/^Version: .*/&+1/' newer/DEBIAN/control
    dpkg-deb -Znone --root-owner-group --build newer newer.deb && rm -r newer`);
  const output = await system.asRoot('apt-get install -y /tmp/newer.deb');
  assert.match(output, /Mediadesk is running\. It uses the new version/);
  assert.match(await system.asRoot('dpkg-query -W mediadesk'), /\+1\s*$/);
  say('ok  an upgrade says that the running app is the old one');
}

async function checkPurge(system: FreshSystem): Promise<void> {
  await system.asRoot('apt-get purge -y mediadesk');
  const left = await system.asRoot(
    `find / -xdev -iname '*mediadesk*' -not -path '/home/*' -not -path '/tmp/*' -not -path '/proc/*' -not -path '/var/cache/*'`,
  );
  assert.equal(left, '', 'files are left');
  say('ok  nothing is left after a purge');
}

/** Installs the rpm below an empty folder, without Fedora: its files and scripts, not its dependencies. */
async function checkRpm(rpm: string): Promise<void> {
  const { size } = await stat(rpm);
  say(`rpm: ${(size / 1024 ** 2).toFixed(1)} MiB`);
  assert.ok(size <= LARGEST_BYTES, 'the rpm is larger than 130 MiB');
  const requires = await runOrThrow('rpm', ['-qp', '--requires', rpm]);
  assert.ok(requires.includes('libgtk-3.so.0()(64bit)'));
  assert.doesNotMatch(requires, /libffmpeg|libvips/, 'it requires a library that it brings');
  const root = await mkdtemp(join(tmpdir(), 'mediadesk-rpm-'));
  try {
    await runOrThrow('rpm', ['--root', root, '--initdb']);
    await runOrThrow('rpm', ['--root', root, '-i', '--nodeps', rpm]);
    const program = join(root, 'usr/lib/mediadesk/resources/cli/mediadesk');
    assert.match(await runOrThrow(program, ['--version']), /^\d+\.\d+\.\d+/);
    assert.equal((await stat(join(root, 'usr/lib/mediadesk/chrome-sandbox'))).mode & 0o7777, 0o4755);
    await runOrThrow('rpm', ['--root', root, '-e', 'mediadesk']);
    const left = await runOrThrow('find', [root, '-iname', '*mediadesk*', '-not', '-path', root]);
    assert.equal(left, '', 'files are left after the removal');
  } finally {
    await rm(root, { recursive: true });
  }
  say('ok  the rpm is installed and removed; Fedora itself is not part of this test');
}

/** The packages of a release, otherwise those of a test build. */
async function foundPackages(): Promise<{ deb: string; rpm: string } | null> {
  return (await packagesIn(join(projectDir, 'dist'))) ?? (await packagesIn(join(projectDir, 'dist', 'test-build')));
}

/** Returns why this computer can't run the test; null when it can. */
async function whyNot(): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'only root can make a fresh system.';
  const missing = await missingPrograms(['debootstrap', 'unshare', 'nsenter', 'rpm', 'dpkg-deb']);
  if (missing.length > 0) return `install ${missing.join(', ')}.`;
  const archive = 'http://deb.debian.org/debian/dists/bookworm/Release';
  const answer = await fetch(archive, { method: 'HEAD' }).catch(() => null);
  return answer?.ok ? null : 'Debian’s archive can’t be reached.';
}

async function main(): Promise<void> {
  const found = await foundPackages();
  const reason = found === null ? 'there are no packages. Run “npm run package” first.' : await whyNot();
  if (found === null || reason !== null) {
    say(`skipped: ${reason}`);
    process.exitCode = process.argv.includes('--required') ? 1 : 0;
    return;
  }
  await checkDeb(found.deb);
  await checkRpm(found.rpm);
  const system = await startFreshSystem(join(projectDir, '.cache', 'package-test'));
  try {
    await writeFile(system.outside('/tmp/mediadesk.deb'), await readFile(found.deb));
    await system.asRoot('apt-get update && apt-get install -y --no-install-recommends /tmp/mediadesk.deb');
    say('ok  installed on a fresh Debian 12 with its dependencies');
    // What a desktop has, and what the test looks with.
    const desktop = 'xvfb dbus gnome-keyring procps desktop-file-utils appstream man-db';
    await system.asRoot(`apt-get install -y --no-install-recommends ${desktop}`);
    await checkFiles(system);
    await checkNotices(system);
    await checkFuses(system);
    await checkCommandLine(system);
    await checkWindow(system);
    await checkPurge(system);
  } finally {
    await system.stop();
  }
}

await main();
