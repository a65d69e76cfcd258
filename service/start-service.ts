import { randomBytes, randomUUID } from 'node:crypto';
import { createAccessRegister } from './access/access.ts';
import { setActive } from './accounts/deactivation.ts';
import { firstUserToken } from './accounts/first-user.ts';
import { linkUrl } from './accounts/links.ts';
import { rememberBaseUrl, resetLink } from './accounts/reset-link.ts';
import { type Config, registerClient } from './app/config.ts';
import { createApp } from './app/create-app.ts';
import { drain } from './app/drain.ts';
import { doDueWork, restartAbandonedTimers } from './app/due-work.ts';
import { actingForService } from './audit/acting.ts';
import { openAudit } from './audit/audit.ts';
import { readOrWriteMeta } from './database/meta.ts';
import { SIGNING_KEY } from './database/move/rows.ts';
import { createLanguages, type Languages } from './languages/languages.ts';
import { openStorage } from './objects/open-storage.ts';
import { openDatabase } from './open-database.ts';
import type { LocalCommand } from './operate/local-command.ts';
import { NOT_OPERATED, type OperateOptions } from './operate/operate-options.ts';
import { createOperations } from './operate/operations.ts';
import { HERE, resumeClaims } from './processing/claims.ts';
import { createProcessingQueue } from './processing/queue.ts';
import { findTools } from './processing/tools/find-tools.ts';
import { createPasswords, type PasswordCost } from './secrets/passwords.ts';
import { createSigner } from './secrets/signer.ts';
import { CLIENT_ID, isSeeded, seedOnce } from './seed/seed.ts';
import {
  type DemoAdmin,
  forgetAdmin,
  forgetOperations,
  openDataDir,
  readAdmin,
  readOrMakeAdmin,
} from './site/data-dir.ts';
import { epochOf } from './site/epoch.ts';
import { type Lab, NO_INSTRUMENTS } from './site/instruments.ts';
import { createJournal } from './site/journal.ts';
import { openSettings } from './site/settings.ts';
import type { Log, Site } from './site/site.ts';
import { createTraffic } from './site/traffic.ts';
import { workerTokenOf } from './site/workers-settings.ts';
import { createArrivals } from './storage/arrivals.ts';
import { watchFreeSpace } from './storage/free-space.ts';
import { releaseDeliveries } from './webhook/deliveries.ts';
import { createWebhookSender } from './webhook/sender.ts';

export interface ServiceOptions {
  dataDir: string;
  host: string;
  port: number;
  /** The public URL at which a proxy offers the service; undefined without a proxy. */
  baseUrl: string | undefined;
  seed: string;
  /** E-mail address of the only account of a new library, an administrator without a password; omitted: the accounts for demos. */
  firstUser?: string | undefined;
  /** Takes precedence over the configuration in the data directory. */
  config: Config;
  /** Whether the objects of another library, or of another state of this one, belong to this one from now on. */
  takesStorage?: boolean;
  /** The cost of a password hash; omitted: `PASSWORD_COST`. Lower costs are for tests, which sign in many times. */
  passwordCost?: PasswordCost;
  log: Log;
  /** The instruments of tests; omitted in a service for an institution. */
  lab?: Lab;
  /** The languages of the pages; omitted: the built-in ones. */
  languages?: Languages | undefined;
  /** What an operator asks for; omitted: `NOT_OPERATED`. */
  operate?: OperateOptions;
}

/** The JSON line that is printed when the service listens. */
interface ReadyLine {
  /** Where the operations are served; only with --operations. */
  operations_url?: string;
  base_url: string;
  /** The URL at which the service itself listens, for the proxy; only with --base-url. */
  listen_url?: string;
  client_id: string;
  /** The seeded administrator of a library for demos. */
  admin?: { email_address: string; password: string };
  /** With `firstUser`, until its password is set: the address where that is done. */
  first_user_link?: string;
}

export interface RunningService {
  /** With a lab, also the fields of its control port. */
  ready: ReadyLine & Record<string, unknown>;
  /** Applies a configuration while the service runs: its settings replace those that it names. */
  apply(config: Config): Promise<void>;
  /** Opens the file of the request log again, after another program has moved it away. */
  reopenLog(): void;
  /** Refuses new writes and waits for the requests under way, as long as the options say or until `signal` is aborted. */
  drain(signal: AbortSignal): Promise<void>;
  /** Cuts the requests under way, and closes everything. */
  stop(): Promise<void>;
}

const DUE_WORK_EVERY_MS = 1000;

/** Opens the data directory, wires the parts, and listens. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { log } = options;
  const dir = openDataDir(options.dataDir);
  const store = await openDatabase(dir.databaseFile, options.config);
  // Of an earlier run that was killed: only a running service has the database.
  forgetOperations(options.dataDir);
  const lab = await options.lab?.(store);
  const instruments = lab?.instruments ?? NO_INSTRUMENTS;
  const now = () => Date.now() + instruments.clockOffsetMs();
  const epoch = await epochOf(store);
  const { blobs, scratch, ...storage } = await openStorage({
    dataDir: options.dataDir,
    storage: options.config.storage,
    takesStorage: options.takesStorage === true,
    store,
    epoch,
    now,
    log,
    baseUrl: options.baseUrl,
  });
  const passwords = createPasswords(options.passwordCost ? { cost: options.passwordCost } : {});
  if (options.passwordCost) log('passwords are hashed at a cost that is for tests only');
  const admin = await seedLibrary(options, store, { blobs, scratch }, passwords);
  await openAudit(store, now);
  const settings = await openSettings(store);
  const languages = options.languages ?? createLanguages();
  const apply = async (config: Config) => {
    const unknown = languageProblem(languages, config);
    if (unknown !== undefined) throw new Error(unknown);
    if (Object.keys(config.settings).length > 0) await settings.patch(config.settings);
    for (const client of config.clients) await registerClient(store, client);
  };
  await apply(options.config);
  const removed = scratch.clear() + blobs.purge(await storedNames(store));
  if (removed > 0) log('removed half files of an earlier run', { count: removed });

  await resumeClaims({ store, now });
  await releaseDeliveries(store);
  const { workers } = options.config;
  const queue = createProcessingQueue(() => site, findTools(), workers === undefined || workers.service_works);
  const webhook = createWebhookSender(() => site);
  const operate = options.operate ?? NOT_OPERATED;
  let baseUrl = '';
  const site: Site = {
    get baseUrl() {
      return baseUrl;
    },
    instance: store.isShared ? `${HERE}:${randomUUID()}` : HERE,
    epoch,
    store,
    blobs,
    scratch,
    signer: createSigner(store.isShared ? await sharedSigningKey(store) : dir.signingKey),
    settings,
    languages,
    access: createAccessRegister(store),
    passwords,
    journal: createJournal(),
    now,
    dialect: instruments.dialect,
    log,
    processing: { wake: () => actingForService(queue.wake) },
    webhook: { wake: () => actingForService(webhook.wake) },
    arrivals: createArrivals(),
    space: watchFreeSpace(blobs, operate.reserveBytes),
    traffic: createTraffic(),
  };
  settings.onDidChange(async (now, before) => {
    if (before.read_only && !now.read_only) await restartAbandonedTimers(site);
  });

  const operations = createOperations(operate, log);
  const app = createApp(site, {
    isBehindProxy: options.baseUrl !== undefined,
    listenHost: options.host,
    instruments,
    observe: operations.observe,
    workerToken: workers && workerTokenOf(workers),
    givesIds: operations.givesIds,
  });
  await site.space.refresh();
  const control = await lab?.listen(site, dir.controlToken);
  const address = await app.listen({ host: options.host, port: options.port });
  const listenUrl = address.replace('//[::]:', '//localhost:').replace('//0.0.0.0:', '//localhost:');
  baseUrl = options.baseUrl ?? listenUrl;
  const forOperator = await operations.listen(
    site,
    { path: options.dataDir, token: dir.controlToken },
    new Map<string, LocalCommand>([
      ['/reset-link', (email) => resetLink(site, baseUrl, email)],
      ['/deactivate', (email) => setActive(site, email, false)],
      ['/reactivate', (email) => setActive(site, email, true)],
    ]),
  );
  await rememberBaseUrl(store, baseUrl);

  let dueWork: Promise<void> | undefined;
  const timer = setInterval(() => {
    void site.space.refresh();
    storage.sweep();
    const failed = (error: unknown) => log('due work failed', { error: String(error) });
    void queue.collect().catch(failed);
    dueWork ??= doDueWork(site)
      .catch(failed)
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
      ...(admin === null ? {} : { admin }),
      ...(await firstUserLink(site, options.firstUser)),
      ...forOperator,
      ...control?.ready,
    },
    apply,
    reopenLog: operations.reopenLog,
    async drain(signal) {
      if (operate.drainMs === 0) return;
      const ended = await drain(site.traffic, operate.drainMs, signal);
      if (ended !== 'ended') log('requests under way are cut', { requests: site.traffic.requests, reason: ended });
    },
    async stop() {
      clearInterval(timer);
      await Promise.all([app.close(), control?.close(), queue.stop(), webhook.stop(), dueWork, storage.endSweep()]);
      await operations.close();
      storage.close();
      await store.close();
    },
  };
}

/** What is wrong with the language of a configuration. */
export function languageProblem({ names }: Languages, { settings: { language } }: Config): string | undefined {
  if (language === undefined || names.includes(language)) return undefined;
  return `The setting language must be one of ${names.join(', ')}. --languages names a folder with more.`;
}

/** A new library would delete content that it does not know. */
const CONTENT_OF_ANOTHER =
  'The data folder has stored content, but the database has no library. Start the service with the configuration of its database, or with another data folder.';

/** Fills a new library; returns the seeded administrator, null in a library that began with a first user. */
async function seedLibrary(
  { dataDir, seed, firstUser }: ServiceOptions,
  store: Site['store'],
  storage: Pick<Site, 'blobs' | 'scratch'>,
  passwords: Site['passwords'],
): Promise<DemoAdmin | null> {
  if (await isSeeded(store)) return readAdmin(dataDir);
  // A start that fills the library for a demo may have been killed after it had stored the files.
  if (seed !== 'demo' && storage.blobs.hasContent()) throw new Error(CONTENT_OF_ANOTHER);
  if (firstUser !== undefined) forgetAdmin(dataDir);
  const admin = firstUser === undefined ? readOrMakeAdmin(dataDir) : null;
  const isOwn = await seedOnce(
    store,
    storage,
    seed,
    admin ?? { email_address: firstUser ?? '', password: null },
    passwords,
    Date.now(),
  );
  if (isOwn) return admin;
  forgetAdmin(dataDir);
  return null;
}

/** What one process has signed, the others must accept. */
async function sharedSigningKey(store: Site['store']): Promise<Buffer> {
  const key = await readOrWriteMeta(store, SIGNING_KEY, () => randomBytes(32).toString('base64url'));
  return Buffer.from(key, 'base64url');
}

async function firstUserLink(site: Site, email: string | undefined): Promise<Pick<ReadyLine, 'first_user_link'>> {
  const token = email === undefined ? undefined : await firstUserToken(site, email);
  return token === undefined ? {} : { first_user_link: linkUrl(site.baseUrl, token) };
}

async function storedNames(store: Site['store']): Promise<Set<string>> {
  const rows = await store.all<{ stored_name: string }>(
    `SELECT stored_name FROM files WHERE stored_name IS NOT NULL UNION SELECT stored_name FROM thumbs
     UNION SELECT name FROM processing_products`,
  );
  return new Set(rows.map((row) => row.stored_name));
}
