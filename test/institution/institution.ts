// A whole institution on this computer: PostgreSQL, Ceph, processes of the service behind nginx, and workers.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CEPH } from '../destinations/ceph.ts';
import { freePorts, missingPrograms } from '../destinations/processes.ts';
import type { Store } from '../destinations/store.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '../helpers/service/postgres.ts';
import { storageConfig } from '../helpers/service/service-config.ts';
import { type ServiceProcess, type ServiceStart, startService } from '../helpers/service/service-process.ts';
import { startWorker, WORKER_TOKEN, type WorkerProcess } from '../helpers/service/worker-process.ts';
import { type Nginx, startNginx } from './nginx.ts';

export interface InstitutionStart {
  /** Processes of the service. */
  processes: number;
  workers: number;
  /** A folder whose data stays at the end; omitted: a new one that does not. */
  dir?: string;
  /** Whether the object store has room for gigabytes, also without a kept folder. */
  isLarge?: boolean;
  seed?: ServiceStart['seed'];
}

export interface Institution {
  /** The address that clients use. */
  readonly baseUrl: string;
  readonly clientId: string;
  /** The administrator; of an institution that was kept: the one of its first start. */
  readonly admin: { email_address: string; password: string };
  readonly services: readonly ServiceProcess[];
  readonly workers: readonly WorkerProcess[];
  readonly postgres: PostgresServer;
  readonly store: Store;
  /** The configuration of all processes. */
  readonly config: string;
  /** Lets nginx pass requests to the first processes only. */
  balance(processes: number): Promise<void>;
  /** Stops a process of the service, and starts another version in its place: its source, or undefined for this one. */
  replaceService(index: number, program: string | undefined): Promise<void>;
  /** Ends a worker at once, and starts another one in its place. */
  replaceWorker(index: number): Promise<void>;
  stop(): Promise<void>;
}

/** Returns the Debian packages that this computer lacks for an institution. */
export function missingPackages(): string[] {
  return [
    ...(postgresPrograms() === undefined ? ['postgresql-15'] : []),
    ...(CEPH.missing().length > 0 ? CEPH.packages : []),
    ...(missingPrograms(['nginx']).length > 0 ? ['nginx-light'] : []),
  ];
}

/** Starts everything, and waits until it answers. */
export async function startInstitution({
  processes,
  workers,
  dir,
  isLarge,
  seed,
}: InstitutionStart): Promise<Institution> {
  const folder = dir ?? mkdtempSync(join(tmpdir(), 'library-institution-'));
  mkdirSync(folder, { recursive: true });
  // The servers run as another user, in folders of their own.
  chmodSync(folder, 0o755);
  const closers: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
    if (dir === undefined) rmSync(folder, { recursive: true, force: true });
  };
  try {
    const [postgres, store] = await Promise.all([
      startPostgres(join(folder, 'postgres')).then((server) => {
        closers.push(() => server.stop());
        return server;
      }),
      CEPH.start({ isLarge: isLarge ?? dir !== undefined, dir: join(folder, 'ceph') }).then((made) => {
        closers.push(() => made.close());
        return made;
      }),
    ]);
    const config = await writeConfig(folder, postgres, store);
    const ports = portsOf(folder, await freePorts(processes + 1));
    const [front = 0, ...behind] = ports;
    const baseUrl = `http://127.0.0.1:${front}`;
    const services: ServiceProcess[] = [];
    const start = (index: number, version: Pick<ServiceStart, 'program'> = {}) =>
      startService({
        dataDir: join(folder, `service-${index}`),
        port: behind[index] ?? 0,
        config,
        publicUrl: baseUrl,
        ...(seed === undefined ? {} : { seed }),
        ...version,
      });
    // The first one fills the library.
    for (const index of behind.keys()) {
      services.push(await start(index));
      closers.push(async () => void (await services[index]?.stop()));
    }
    let nginx: Nginx = await startNginx(join(folder, 'nginx'), front, behind);
    closers.push(() => nginx.stop());
    const running = Array.from({ length: workers }, () => startWorker(baseUrl));
    closers.push(() => Promise.all(running.map((worker) => worker.stop())));
    const admin = keepAdmin(folder, services[0]?.admin);
    return {
      baseUrl,
      clientId: services[0]?.clientId ?? '',
      admin,
      services,
      workers: running,
      postgres,
      store,
      config,
      async balance(count) {
        await nginx.stop();
        nginx = await startNginx(join(folder, `nginx-${count}`), front, behind.slice(0, count));
      },
      async replaceService(index, program) {
        await services[index]?.end('SIGTERM');
        services[index] = await start(index, program === undefined ? {} : { program });
      },
      async replaceWorker(index) {
        await running[index]?.kill9();
        running[index] = startWorker(baseUrl);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function writeConfig(folder: string, postgres: PostgresServer, store: Store): Promise<string> {
  if (!store.s3) throw new Error('This store does not speak S3.');
  const isKept = existsSync(join(folder, 'database-url'));
  const address = isKept ? postgres.address('library1') : await postgres.create();
  const secret = (name: string, text: string) => {
    writeFileSync(join(folder, name), `${text}\n`, { mode: 0o600 });
    return join(folder, name);
  };
  const config = {
    database: { url_file: secret('database-url', address) },
    storage: storageConfig(store.s3, 'library/', secret('storage-key', store.s3.secretKey)),
    workers: { token_file: secret('worker-token', WORKER_TOKEN) },
  };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config, null, 2));
  return join(folder, 'config.json');
}

/** Clients of an institution that is started again find it at the same address. */
function portsOf(folder: string, free: readonly number[]): readonly number[] {
  const file = join(folder, 'ports.json');
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as number[]) : [];
  const ports = free.map((port, index) => known[index] ?? port);
  writeFileSync(file, JSON.stringify(ports));
  return ports;
}

function keepAdmin(folder: string, made: { email_address: string; password: string } | undefined) {
  const file = join(folder, 'admin.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as { email_address: string; password: string };
  const admin = made ?? { email_address: '', password: '' };
  writeFileSync(file, JSON.stringify(admin), { mode: 0o600 });
  return admin;
}
