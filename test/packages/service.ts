// `npm run test:service-package`: installs the package of the library service on a fresh Debian 12 and does what its operator does: first
// user, restart, backup, upgrade, restore, removal. Needs root, debootstrap and access to Debian's archive.
import { strict as assert } from 'node:assert';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runOrThrow } from '../../build/processes.ts';
import { type FreshSystem, missingPrograms, startFreshSystem } from './fresh-system.ts';

const projectDir = resolve(import.meta.dirname, '..', '..');
const say = (line: string) => console.log(`service package: ${line}`);
const DATA = '/var/lib/media-library';

/** Starts the service as its unit does: with the options of its file, as its user. Returns the printed line. */
async function start(system: FreshSystem): Promise<Record<string, string>> {
  await system.asRoot(`
    install -d -o media-library -g media-library -m 0700 ${DATA}
    install -d -o media-library -g media-library -m 0750 /var/log/media-library
    rm -f /tmp/line
    (set -a; . /etc/default/media-library; setsid runuser -u media-library -- /usr/bin/media-library >/tmp/line 2>/tmp/log &)
    for i in $(seq 300); do [ -s /tmp/line ] && exit 0; sleep 0.2; done
    cat /tmp/log; exit 1`);
  return JSON.parse(await system.asRoot('cat /tmp/line')) as Record<string, string>;
}

async function stop(system: FreshSystem): Promise<void> {
  await system.asRoot('pkill -TERM -u media-library; while pgrep -u media-library >/dev/null; do sleep 0.1; done');
}

/** Sets the password at the link of the first user, as a browser does. */
async function setPassword(system: FreshSystem, link: string): Promise<void> {
  const page = await system.asRoot(`curl -fsS -c /tmp/jar '${link}'`);
  const inputs = [...page.matchAll(/<input\b[^>]*>/g)].map(
    ([tag]) =>
      (name: string) =>
        new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1],
  );
  const fields = inputs.map((read) => {
    const value = read('type') === 'password' ? 'a-long-password-1' : (read('value') ?? '');
    return `${read('name')}=${value}`;
  });
  assert.ok(
    inputs.some((read) => read('type') === 'password'),
    'the page has no field for a password',
  );
  const data = fields.map((each) => `--data-urlencode '${each}'`).join(' ');
  const status = await system.asRoot(`curl -sS -b /tmp/jar -o /tmp/answer -w '%{http_code}' ${data} '${link}'`);
  assert.match(
    status,
    /^(200|303|302)$/,
    `the password was not set: ${status} ${await system.asRoot('cat /tmp/answer')}`,
  );
}

async function operate(system: FreshSystem, deb: string): Promise<void> {
  await runOrThrow('cp', [deb, system.outside('/tmp/media-library.deb')]);
  await system.asRoot(
    'apt-get update -qq && apt-get install -y -qq --no-install-recommends /tmp/media-library.deb curl procps >/dev/null',
  );
  const refusal =
    '(set -a; . /etc/default/media-library; runuser -u media-library -- /usr/bin/media-library 2>&1 || echo "exit $?")';
  assert.match(await system.asRoot(refusal), /Set MEDIADESK_FIRST_USER[\s\S]*exit 2/);
  assert.equal((await system.asRoot(`ls -A ${DATA} 2>/dev/null | wc -l`)).trim(), '0');
  await system.asRoot(
    `sed -i 's/^#MEDIADESK_FIRST_USER=.*/MEDIADESK_FIRST_USER=admin@library.example/' /etc/default/media-library`,
  );
  // What root writes there, with the usual modes, the service can read and nobody else.
  await system.asRoot(`
    echo '{ "workers": { "token_file": "/etc/media-library/worker-token" } }' >/etc/media-library/config.json
    head -c 32 /dev/urandom | od -An -vtx1 | tr -d ' \\n' >/etc/media-library/worker-token
    sed -i 's/^#MEDIADESK_SERVICE_CONFIG=/MEDIADESK_SERVICE_CONFIG=/' /etc/default/media-library
    ! runuser -u nobody -- cat /etc/media-library/worker-token 2>/dev/null`);
  assert.equal((await system.asRoot("stat -c '%U:%G %a' /etc/media-library")).trim(), 'root:media-library 750');
  await system.asRoot('[ -s /usr/share/doc/media-library/service.md ]');
  say('installed');

  const first = await start(system);
  assert.ok(first.first_user_link, 'the first start printed no link');
  assert.equal(first.admin, undefined, 'the line has a readable password');
  assert.equal(await system.asRoot('curl -fsS -o /dev/null -w "%{http_code}" http://127.0.0.1:9464/ready'), '200');
  await setPassword(system, first.first_user_link);
  say('the first user has a password');
  assert.equal(await system.asRoot(`find ${DATA} -perm /077 | wc -l`).then((text) => text.trim()), '0');

  await system.asRoot(
    `install -d -o media-library -m 0700 /srv/backup && runuser -u media-library -- media-library backup --data ${DATA} --to /srv/backup/one`,
  );
  await system.asRoot('runuser -u media-library -- media-library verify /srv/backup/one');
  say('made and verified a backup while it runs');
  await stop(system);

  // The upgrade: the same files as a newer version.
  await system.asRoot(`
    mkdir /tmp/newer && dpkg-deb -R /tmp/media-library.deb /tmp/newer
    sed -i 's/^Version: .*/Version: 99.0.0/' /tmp/newer/DEBIAN/control
    dpkg-deb -b /tmp/newer /tmp/newer.deb >/dev/null && dpkg -i /tmp/newer.deb >/dev/null && rm -r /tmp/newer`);
  assert.match(await system.asRoot('cat /etc/default/media-library'), /^MEDIADESK_FIRST_USER=admin@/m);
  const second = await start(system);
  assert.equal(second.first_user_link, undefined);
  say('upgraded: the options and the library are the same');
  await stop(system);

  await system.asRoot(`
    rm -r ${DATA}
    install -d -o media-library -m 0700 /srv/restored
    runuser -u media-library -- media-library restore --from /srv/backup/one --data /srv/restored/library >/dev/null
    mv /srv/restored/library ${DATA}`);
  const third = await start(system);
  assert.equal(third.first_user_link, undefined, 'the restored library has no user with a password');
  say('restored');
  await stop(system);

  await system.asRoot('dpkg --purge media-library >/dev/null');
  assert.equal(await system.asRoot(`[ -f ${DATA}/library.sqlite ] && echo kept`).then((text) => text.trim()), 'kept');
  assert.equal(
    await system
      .asRoot('ls /usr/lib/media-library /usr/bin/media-library 2>/dev/null | wc -l')
      .then((text) => text.trim()),
    '0',
  );
  say('removed: the library stays');
}

async function main(): Promise<number> {
  const missing = await missingPrograms(['debootstrap', 'unshare', 'nsenter']);
  if (missing.length > 0 || process.getuid?.() !== 0) {
    say(`needs root and ${missing.join(', ')}: not run`);
    return 1;
  }
  const dist = join(projectDir, 'dist');
  const name = (await readdir(dist).catch(() => [])).find(
    (each) => each.startsWith('media-library_') && each.endsWith('.deb'),
  );
  if (name === undefined) {
    say('there is no package: run npm run package:service');
    return 1;
  }
  const system = await startFreshSystem(join(tmpdir(), 'mediadesk-fresh-system'));
  try {
    await operate(system, join(dist, name));
  } finally {
    await system.stop();
  }
  return 0;
}

process.exitCode = await main();
