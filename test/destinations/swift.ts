// OpenStack Swift with its FormPost middleware: a form protocol that has nothing to do with S3.
import type { ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FormField } from '../../shared/api/form-fields.ts';
import { hashOf } from './hash.ts';
import { answers, freePorts, missingPrograms, StoreRun } from './processes.ts';
import type { DestinationWish, Store, StoreDestination, StoreKind } from './store.ts';

const RINGS = ['object', 'container', 'account'] as const;
const PROGRAMS = [...RINGS, 'proxy'].map((name) => `swift-${name}-server`).concat('swift-ring-builder', 'memcached');
const FORM_KEY = 'formkey';
const CONTAINER = '/v1/AUTH_lab/media';

export const SWIFT: StoreKind = {
  name: 'Swift FormPost',
  packages: ['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'memcached'],
  missing: () => missingPrograms(PROGRAMS),
  start: startSwift,
  checksDescriptors: true,
  expiredStatus: 401,
  wrongSizeStatus: 400,
  mostBytes: 5 * 1024 ** 3,
};

async function startSwift(): Promise<Store> {
  const run = new StoreRun('swift');
  try {
    const ports = await freePorts(5);
    const [port = 0, cachePort = 0, ...ringPorts] = ports;
    configure(run, port, cachePort, ringPorts);
    run.start('memcached', 'memcached', ['-l', '127.0.0.1', '-p', String(cachePort), '-m', '16', '-u', run.user.name]);
    for (const name of RINGS) run.start(name, `swift-${name}-server`, [`${name}-server.conf`]);
    // The proxy does not retry a server for a minute when its first request stays unanswered.
    for (const each of ringPorts) {
      await run.until('the start of the rings', () => answers(`http://127.0.0.1:${each}/`), 60_000);
    }
    const base = `http://127.0.0.1:${port}`;
    let proxy: ChildProcess;
    const restart = async () => {
      proxy = run.start('proxy', 'swift-proxy-server', ['proxy-server.conf']);
      await run.until('the start of the proxy', () => answers(`${base}/healthcheck`), 60_000);
    };
    await restart();
    const token = await prepareAccount(run, base);
    return {
      s3: { endpoint: base, bucket: 'media', accessKey: 'lab:lab', secretKey: 'labsecret' },
      destination: (wish) => destinationIn(base, token, wish),
      crash: () => run.kill(proxy),
      restart,
      residentBytes: () => run.residentBytes(),
      close: () => run.close(),
    };
  } catch (error) {
    await run.close();
    throw error;
  }
}

function configure(run: StoreRun, port: number, cachePort: number, ringPorts: readonly number[]): void {
  const { dir, user } = run;
  const put = (name: string, text: string) => writeFileSync(join(dir, name), text);
  mkdirSync(join(dir, 'srv', 'd1'), { recursive: true });
  if (user.uid !== undefined && user.gid !== undefined) {
    for (const path of ['srv', 'srv/d1']) chownSync(join(dir, path), user.uid, user.gid);
  }
  put('swift.conf', '[swift-hash]\nswift_hash_path_suffix = lab\n[storage-policy:0]\nname = one\ndefault = yes\n');
  for (const [index, name] of RINGS.entries()) {
    const builder = `${name}.builder`;
    run.run('swift-ring-builder', [builder, 'create', '4', '1', '1']);
    run.run('swift-ring-builder', [builder, 'add', `r1z1-127.0.0.1:${ringPorts[index]}/d1`, '1']);
    run.run('swift-ring-builder', [builder, 'rebalance']);
    put(
      `${name}-server.conf`,
      `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${ringPorts[index]}
swift_dir = ${dir}
devices = ${dir}/srv
mount_check = false
user = ${user.name}
workers = 0
[pipeline:main]
pipeline = ${name}-server
[app:${name}-server]
use = egg:swift#${name}
`,
    );
  }
  const filters = ['catch_errors', 'gatekeeper', 'healthcheck', 'tempurl', 'formpost', 's3api', 'copy', 'slo'];
  put(
    'proxy-server.conf',
    `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
swift_dir = ${dir}
user = ${user.name}
workers = 0
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache tempurl formpost s3api tempauth copy slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${cachePort}
[filter:tempauth]
use = egg:swift#tempauth
user_lab_lab = labsecret .admin
${filters.map((name) => `[filter:${name}]\nuse = egg:swift#${name}`).join('\n')}
`,
  );
}

/** Signs in, sets the key that signs forms, and makes the container. Answers the token. */
async function prepareAccount(run: StoreRun, base: string): Promise<string> {
  let token = '';
  // The servers behind the proxy take a moment longer.
  await run.until(
    'the account',
    async () => {
      const signedIn = await fetch(`${base}/auth/v1.0`, {
        headers: { 'X-Storage-User': 'lab:lab', 'X-Storage-Pass': 'labsecret' },
      });
      token = signedIn.headers.get('x-auth-token') ?? '';
      const headers = { 'X-Auth-Token': token };
      const keyed = await fetch(`${base}/v1/AUTH_lab`, {
        method: 'POST',
        headers: { ...headers, 'X-Account-Meta-Temp-URL-Key': FORM_KEY },
      });
      return keyed.ok && (await fetch(`${base}${CONTAINER}`, { method: 'PUT', headers })).ok;
    },
    60_000,
  );
  return token;
}

let count = 0;

function destinationIn(base: string, token: string, wish: DestinationWish): StoreDestination {
  count += 1;
  const path = `${CONTAINER}/${count}/`;
  const expires = String(Math.floor(Date.now() / 1000) + (wish.expiresInS ?? 3600));
  const values = {
    redirect: '',
    max_file_size: String(wish.allowedBytes ?? wish.sizeBytes),
    max_file_count: '1',
    expires,
  };
  const signature = createHmac('sha1', FORM_KEY)
    .update([path, ...Object.values(values)].join('\n'))
    .digest('hex');
  const fields: FormField[] = [...Object.entries(values), ['signature', signature]];
  // The file name as it goes out: a quote is escaped as browsers do it, and Swift keeps that.
  const name = wish.fileName.replaceAll('"', '%22');
  const read = () => fetch(`${base}${path}${encodeURIComponent(name)}`, { headers: { 'X-Auth-Token': token } });
  return {
    url: new URL(`${base}${path}`),
    fields,
    fileParam: 'file1',
    read,
    async stored() {
      const response = await read();
      if (response.status === 404) {
        await response.arrayBuffer();
        return null;
      }
      return hashOf(response);
    },
  };
}
