import { createAccessRegister } from './access/access.ts';
import { type Config, registerClient } from './app/config.ts';
import { createApp } from './app/create-app.ts';
import { doDueWork, restartAbandonedTimers } from './app/due-work.ts';
import { openStore } from './database/database.ts';
import { createProcessingQueue } from './processing/queue.ts';
import { findTools } from './processing/tools/find-tools.ts';
import { createPasswords, type PasswordCost } from './secrets/passwords.ts';
import { createSigner } from './secrets/signer.ts';
import { CLIENT_ID, seedOnce } from './seed/seed.ts';
import { openDataDir } from './site/data-dir.ts';
import { type Lab, NO_INSTRUMENTS } from './site/instruments.ts';
import { createJournal } from './site/journal.ts';
import { openSettings } from './site/settings.ts';
import type { Log, Site } from './site/site.ts';
import { createArrivals } from './storage/arrivals.ts';
import { openDisk } from './storage/disk.ts';
import { createWebhookSender } from './webhook/sender.ts';

export interface ServiceOptions {
  dataDir: string;
  host: string;
  port: number;
  /** The public URL at which a proxy offers the service; undefined without a proxy. */
  baseUrl: string | undefined;
  seed: string;
  /** Takes precedence over the configuration in the data directory. */
  config: Config;
  /** The cost of a password hash; omitted: `PASSWORD_COST`. Lower costs are for tests, which sign in many times. */
  passwordCost?: PasswordCost;
  log: Log;
  /** The instruments of tests; omitted in a service for an institution. */
  lab?: Lab;
}

/** The JSON line that is printed when the service listens. */
interface ReadyLine {
  base_url: string;
  /** The URL at which the service itself listens, for the proxy; only with --base-url. */
  listen_url?: string;
  client_id: string;
  admin: { email_address: string; password: string };
}

export interface RunningService {
  /** With a lab, also the fields of its control port. */
  ready: ReadyLine & Record<string, unknown>;
  /** Applies a configuration while the service runs: its settings replace those that it names. */
  apply(config: Config): void;
  stop(): Promise<void>;
}

const DUE_WORK_EVERY_MS = 1000;

/** Opens the data directory, wires the parts, and listens. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { log } = options;
  const dir = openDataDir(options.dataDir);
  const store = openStore(dir.databaseFile);
  const disk = await openDisk(options.dataDir);
  const passwords = createPasswords(options.passwordCost ? { cost: options.passwordCost } : {});
  if (options.passwordCost) log('passwords are hashed at a cost that is for tests only');
  await seedOnce(store, disk, options.seed, dir.admin, passwords, Date.now());
  const settings = openSettings(store);
  const apply = (config: Config) => {
    if (Object.keys(config.settings).length > 0) settings.patch(config.settings);
    for (const client of config.clients) registerClient(store, client);
  };
  apply(options.config);
  const removed = disk.purge(storedNames(store));
  if (removed > 0) log('removed half files of an earlier run', { count: removed });

  const queue = createProcessingQueue(() => site, findTools());
  const webhook = createWebhookSender(() => site);
  const lab = options.lab?.(store);
  const instruments = lab?.instruments ?? NO_INSTRUMENTS;
  let baseUrl = '';
  const site: Site = {
    get baseUrl() {
      return baseUrl;
    },
    store,
    disk,
    signer: createSigner(dir.signingKey),
    settings,
    access: createAccessRegister(store),
    passwords,
    journal: createJournal(),
    now: () => Date.now() + instruments.clockOffsetMs(),
    dialect: instruments.dialect,
    log,
    processing: queue,
    webhook,
    arrivals: createArrivals(),
  };
  settings.onDidChange((now, before) => {
    if (before.read_only && !now.read_only) restartAbandonedTimers(site);
  });

  const app = createApp(site, {
    isBehindProxy: options.baseUrl !== undefined,
    listenHost: options.host,
    instruments,
  });
  const control = await lab?.listen(site, dir.controlToken);
  const address = await app.listen({ host: options.host, port: options.port });
  const listenUrl = address.replace('//[::]:', '//localhost:').replace('//0.0.0.0:', '//localhost:');
  baseUrl = options.baseUrl ?? listenUrl;

  let dueWork: Promise<void> | undefined;
  const timer = setInterval(() => {
    dueWork ??= doDueWork(site)
      .catch((error) => log('due work failed', { error: String(error) }))
      .finally(() => {
        dueWork = undefined;
      });
  }, DUE_WORK_EVERY_MS);
  queue.wake();
  webhook.wake();

  return {
    ready: {
      base_url: baseUrl,
      ...(options.baseUrl === undefined ? {} : { listen_url: listenUrl }),
      client_id: CLIENT_ID,
      admin: dir.admin,
      ...control?.ready,
    },
    apply,
    async stop() {
      clearInterval(timer);
      await Promise.all([app.close(), control?.close(), queue.stop(), webhook.stop(), dueWork]);
      store.close();
    },
  };
}

function storedNames(store: Site['store']): Set<string> {
  const rows = store.all<{ stored_name: string }>(
    'SELECT stored_name FROM files WHERE stored_name IS NOT NULL UNION SELECT stored_name FROM thumbs',
  );
  return new Set(rows.map((row) => row.stored_name));
}
