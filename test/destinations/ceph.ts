// Ceph's S3 gateway (RGW) with one monitor and one in-memory store: POST policies are enforced as at AWS.
import type { ChildProcess } from 'node:child_process';
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FormField } from '../../shared/api/form-fields.ts';
import { hashOf } from './hash.ts';
import { answers, freePorts, missingPrograms, StoreRun } from './processes.ts';
import type { DestinationWish, Store, StoreDestination, StoreKind, StoreStart } from './store.ts';

const PROGRAMS = ['ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin', 'ceph', 'ceph-authtool', 'monmaptool'];
const ACCESS_KEY = 'LABKEY';
const SECRET_KEY = 'labsecret';
const REGION = 'us-east-1';
const BUCKET = 'media';
const CONF = ['-c', 'ceph.conf'];

const IN_MEMORY = 'osd objectstore = memstore\nmemstore device bytes = 1073741824';
const ON_DISK =
  'osd objectstore = bluestore\nbluestore block size = 12884901888\nosd memory target = 939524096\nbluestore fsck on mount = false';

export const CEPH: StoreKind = {
  name: 'Ceph RGW',
  packages: ['ceph-mon', 'ceph-osd', 'radosgw'],
  missing: () => missingPrograms(PROGRAMS),
  start: startCeph,
  checksDescriptors: true,
  checksSmallest: true,
  expiredStatus: 403,
  wrongSizeStatus: 400,
  mostBytes: 5 * 1024 ** 3,
};

async function startCeph({ isLarge = false, dir }: StoreStart = {}): Promise<Store> {
  const run = new StoreRun('ceph', dir);
  try {
    const known = keptPort(run);
    const port = known ?? (await makeCluster(run, isLarge));
    if (known !== undefined) await startCluster(run);
    const base = `http://127.0.0.1:${port}`;
    let gateway: ChildProcess;
    const restart = async () => {
      gateway = run.start('rgw', 'radosgw', ['-c', 'ceph.conf', '-n', 'client.rgw', '-f']);
      await run.until('the start of the gateway', () => answers(base));
    };
    await restart();
    const made = await fetch(signedUrl('PUT', base, `/${BUCKET}`), { method: 'PUT' });
    if (!made.ok && made.status !== 409)
      throw new Error(`The bucket was not made: ${made.status} ${await made.text()}`);
    return {
      s3: { endpoint: base, bucket: BUCKET, accessKey: ACCESS_KEY, secretKey: SECRET_KEY },
      destination: (wish) => destinationIn(base, wish),
      crash: () => run.kill(gateway),
      restart,
      residentBytes: () => run.residentBytes(),
      close: () => run.close(),
    };
  } catch (error) {
    await run.close();
    throw error;
  }
}

/** Returns the port of the gateway of a cluster that was kept in this folder; undefined when it is empty. */
function keptPort({ dir }: StoreRun): number | undefined {
  const file = join(dir, 'ceph.conf');
  if (!existsSync(file)) return undefined;
  return Number(/endpoint=127\.0\.0\.1:(\d+)/.exec(readFileSync(file, 'utf8'))?.[1]);
}

/** Makes a new cluster and starts it. Returns the port of the gateway. */
async function makeCluster(run: StoreRun, isLarge: boolean): Promise<number> {
  const [port = 0, monitorPort = 0] = await freePorts(2);
  configure(run, port, monitorPort, isLarge);
  await startNewCluster(run, monitorPort);
  run.run('radosgw-admin', [
    ...['-c', 'ceph.conf', '-n', 'client.rgw', 'user', 'create', '--uid=lab', '--display-name=lab'],
    ...[`--access-key=${ACCESS_KEY}`, `--secret-key=${SECRET_KEY}`],
  ]);
  return port;
}

/** In memory it starts faster; large files go to a sparse file on the disk. */
function configure(run: StoreRun, port: number, monitorPort: number, isLarge: boolean): void {
  const { dir } = run;
  const own = (path: string) => {
    if (run.user.uid !== undefined && run.user.gid !== undefined) chownSync(path, run.user.uid, run.user.gid);
  };
  for (const name of ['mon', 'osd', 'run']) {
    mkdirSync(join(dir, name));
    own(join(dir, name));
  }
  writeFileSync(
    join(dir, 'ceph.conf'),
    `[global]
fsid = ${randomUUID()}
mon host = [v2:127.0.0.1:${monitorPort}]
public addr = 127.0.0.1
keyring = ${dir}/keyring
run dir = ${dir}/run
admin socket = ${dir}/run/$name.asok
log file = ${dir}/$name.log
crash dir = ${dir}
mon data = ${dir}/mon
osd data = ${dir}/osd
${isLarge ? ON_DISK : IN_MEMORY}
osd pool default size = 1
osd pool default pg num = 2
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
paxos propose interval = 0.1
paxos min wait = 0.01
[client.rgw]
rgw data = ${dir}
rgw frontends = beast endpoint=127.0.0.1:${port}
`,
  );
  own(join(dir, 'ceph.conf'));
}

async function startNewCluster(run: StoreRun, monitorPort: number): Promise<void> {
  const conf = ['-c', 'ceph.conf'];
  const fsid = run.run('ceph-conf', [...conf, '--lookup', 'fsid']).trim();
  run.run('ceph-authtool', ['--create-keyring', 'keyring', '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *']);
  for (const who of ['client.admin', 'client.rgw', 'osd.0']) {
    run.run('ceph-authtool', ['keyring', '--gen-key', '-n', who, '--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *']);
  }
  const address = `[v2:127.0.0.1:${monitorPort}]`;
  run.run('monmaptool', ['--create', '--clobber', '--fsid', fsid, '--addv', 'a', address, 'monmap']);
  run.run('ceph-mon', [...conf, '-i', 'a', '--mkfs', '--monmap', 'monmap', '--keyring', 'keyring']);
  run.start('mon', 'ceph-mon', [...conf, '-i', 'a', '-f']);
  const osd = randomUUID();
  run.run('ceph', [...conf, '--connect-timeout', '20', 'osd', 'new', osd]);
  run.run('ceph-osd', [...conf, '-i', '0', '--mkfs', '--osd-uuid', osd]);
  await startOsd(run);
}

async function startCluster(run: StoreRun): Promise<void> {
  run.start('mon', 'ceph-mon', [...CONF, '-i', 'a', '-f']);
  await startOsd(run);
}

async function startOsd(run: StoreRun): Promise<void> {
  const conf = CONF;
  run.start('osd', 'ceph-osd', [...conf, '-i', '0', '-f']);
  await run.until('the start of the store', async () =>
    / 1 up/.test(run.run('ceph', [...conf, '--connect-timeout', '20', 'osd', 'stat'])),
  );
}

let count = 0;

function destinationIn(base: string, wish: DestinationWish): StoreDestination {
  count += 1;
  const key = `${count}/${wish.fileName}`;
  const now = new Date();
  const size = wish.allowedBytes ?? wish.sizeBytes;
  const conditions = { bucket: BUCKET, key, success_action_status: '201', ...credentials(now) };
  const policy = Buffer.from(
    JSON.stringify({
      expiration: new Date(now.getTime() + (wish.expiresInS ?? 3600) * 1000).toISOString(),
      conditions: [
        ...Object.entries(conditions).map(([name, value]) => ({ [name]: value })),
        ['content-length-range', size, size],
      ],
    }),
  ).toString('base64');
  const { bucket: _, ...sent } = conditions;
  const fields: FormField[] = [
    ...Object.entries(sent),
    ['policy', policy],
    ['x-amz-signature', signature(now, policy)],
  ];
  const read = () => fetch(signedUrl('GET', base, `/${BUCKET}/${encodePath(key)}`));
  return {
    url: new URL(`${base}/${BUCKET}`),
    fields,
    fileParam: 'file',
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

const stamp = (at: Date) => at.toISOString().replace(/[-:]|\.\d+/g, '');
const scopeOf = (at: Date) => `${stamp(at).slice(0, 8)}/${REGION}/s3/aws4_request`;

function credentials(at: Date) {
  return {
    'x-amz-algorithm': 'AWS4-HMAC-SHA256',
    'x-amz-credential': `${ACCESS_KEY}/${scopeOf(at)}`,
    'x-amz-date': stamp(at),
  };
}

function signature(at: Date, text: string): string {
  const hmac = (key: string | Buffer, value: string) => createHmac('sha256', key).update(value).digest();
  let key = Buffer.from(`AWS4${SECRET_KEY}`);
  for (const part of scopeOf(at).split('/')) key = hmac(key, part);
  return hmac(key, text).toString('hex');
}

/** S3 wants every other character than the unreserved ones escaped; the same text is signed and sent. */
function encodePath(path: string): string {
  return path.split('/').map(encodeStrictly).join('/');
}

function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** An address with a signed query (Signature Version 4), good for an hour. */
function signedUrl(method: string, base: string, path: string): string {
  const at = new Date();
  const query = Object.entries({
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${ACCESS_KEY}/${scopeOf(at)}`,
    'X-Amz-Date': stamp(at),
    'X-Amz-Expires': '3600',
    'X-Amz-SignedHeaders': 'host',
  })
    .map(([name, value]) => `${name}=${encodeStrictly(value)}`)
    .join('&');
  const request = [method, path, query, `host:${new URL(base).host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join('\n');
  const digest = createHash('sha256').update(request).digest('hex');
  const toSign = ['AWS4-HMAC-SHA256', stamp(at), scopeOf(at), digest].join('\n');
  return `${base}${path}?${query}&X-Amz-Signature=${signature(at, toSign)}`;
}
