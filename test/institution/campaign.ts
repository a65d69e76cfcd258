// An institution under load, whose processes and servers are killed at random.
import { createHash } from 'node:crypto';
import { Prng } from '../helpers/data/prng.ts';
import { clientWith, type ServiceClient } from '../helpers/service/service-client.ts';
import { signIn } from '../helpers/service/service-sign-in.ts';
import { Client, type Ledger } from './clients.ts';
import type { Institution } from './institution.ts';

export interface CampaignOptions {
  clients: number;
  /** The load ends after this time and after this number of kills, and not before `isOver`. */
  ms: number;
  kills: number;
  isOver?: () => boolean;
  /** The most files that are sent: workers need more time for each than its upload takes. */
  files?: number;
  /** The time between two kills. */
  everyMs: readonly [number, number];
  seed: number;
  onProgress: (line: string) => void;
}

export interface CampaignReport {
  requests: number;
  items: number;
  files: number;
  kills: Record<string, number>;
  retried: Record<string, number>;
  /** How many requests succeeded after this number of repetitions. */
  repeated: Record<string, number>;
  /** Failures that one repetition did not cure, although nothing was killed meanwhile. */
  uncured: Record<string, number>;
  /** Empty: nothing is lost, nothing is there twice, and nothing failed for good. */
  problems: string[];
}

/** Runs the campaign, starts everything again that was killed, and compares what is there with what was promised. */
export async function runCampaign(institution: Institution, options: CampaignOptions): Promise<CampaignReport> {
  const { baseUrl, clientId, admin } = institution;
  const tokens = await signIn({ baseUrl, clientId, admin }, { email: admin.email_address, password: admin.password });
  const client = clientWith({ baseUrl }, tokens);
  const ledger: Ledger = {
    items: new Map(),
    requests: 0,
    filesLeft: options.files ?? Number.POSITIVE_INFINITY,
    retried: new Map(),
    repeated: new Map(),
    kills: 0,
    uncured: new Map(),
    problems: [],
  };
  const prng = new Prng(options.seed);
  const endsAt = performance.now() + options.ms;
  const kills: Record<string, number> = {};
  const total = () => Object.values(kills).reduce((sum, count) => sum + count, 0);
  const isOver = () => performance.now() > endsAt && total() >= options.kills && (options.isOver?.() ?? true);
  const clients = Array.from(
    { length: options.clients },
    (_, index) => new Client(client, ledger, new Prng(prng.int(1, 1e9)), `c${options.seed}n${index}`, isOver),
  );
  const killing = (async () => {
    while (!isOver() && options.kills > 0) {
      await new Promise((resolve) => setTimeout(resolve, prng.int(...options.everyMs)));
      const [name, kill] = pick(institution, prng);
      kills[name] = (kills[name] ?? 0) + 1;
      ledger.kills += 1;
      await kill();
      options.onProgress(`${total()} kills (${name}), ${ledger.items.size} items, ${ledger.requests} requests`);
    }
  })();
  await Promise.all([killing, ...clients.map((each) => each.work())]);
  await compare(client, ledger);
  return {
    requests: ledger.requests,
    items: ledger.items.size,
    files: [...ledger.items.values()].filter(({ file }) => file !== undefined).length,
    kills,
    retried: Object.fromEntries(ledger.retried),
    repeated: Object.fromEntries(ledger.repeated),
    uncured: Object.fromEntries(ledger.uncured),
    problems: ledger.problems,
  };
}

/** What is killed next. Each resolves when it runs again. */
function pick(institution: Institution, prng: Prng): [string, () => Promise<void>] {
  const { services, workers, postgres, store } = institution;
  const chance = prng.int(1, 100);
  if (chance <= 45) {
    const service = services[prng.int(0, services.length - 1)];
    return [
      'service',
      async () => {
        await service?.kill9();
        await service?.restart();
      },
    ];
  }
  if (chance <= 75 && workers.length > 0) {
    return ['worker', () => institution.replaceWorker(prng.int(0, workers.length - 1))];
  }
  if (chance <= 88) {
    return [
      'PostgreSQL',
      async () => {
        await postgres.kill();
        await postgres.start();
      },
    ];
  }
  return [
    'object store',
    async () => {
      await store.crash();
      await store.restart();
    },
  ];
}

/** Adds what is lost, wrong or there twice to the problems. */
async function compare(client: ServiceClient, ledger: Ledger): Promise<void> {
  for (const [title, promised] of ledger.items) {
    const found = await client.get(`/api2/media?search=${title}`);
    const same = (found.body?.items ?? []).filter((item: { title: string }) => item.title === title);
    if (same.length !== 1) ledger.problems.push(`${title} is there ${same.length} times.`);
    if (promised.byline !== undefined && same[0]?.byline !== promised.byline) {
      ledger.problems.push(`${title} has the byline ${same[0]?.byline}, not ${promised.byline}.`);
    }
    if (promised.file !== undefined) await compareFile(client, ledger, title, promised.path, promised.file);
  }
}

async function compareFile(
  client: ServiceClient,
  { problems }: Ledger,
  title: string,
  item: string,
  { path, sha256 }: { path: string; sha256: string },
): Promise<void> {
  const file = await client.processed(path, 600_000).catch((error) => ({ status: String(error) }));
  if (file.status !== 'complete') problems.push(`The file of ${title} ended as ${file.status}.`);
  const files = (await client.get(`${item}/files`)).body?.items ?? [];
  if (files.length !== 1) problems.push(`${title} has ${files.length} files.`);
  const profiles = (files[0]?.encodings ?? []).map((each: { container: string }) => each.container);
  if (profiles.length !== new Set(profiles).size) problems.push(`${title} has encodings twice: ${profiles}.`);
  const content = await client.get(`${path}/content?json`);
  const bytes = Buffer.from(await (await fetch(content.body.location)).arrayBuffer());
  if (createHash('sha256').update(bytes).digest('hex') !== sha256)
    problems.push(`The file of ${title} has other bytes.`);
}
