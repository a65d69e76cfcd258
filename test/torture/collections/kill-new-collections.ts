import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { clientFor, type ServiceClient } from '../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';
import { programPath } from '../../helpers/system/programs.ts';
import { startWireProxy, type WireProxy } from '../../helpers/wire/wire-proxy.ts';
import { databaseFaults } from '../engine/check-outcome.ts';
import { type Failpoint, failpointText } from '../engine/killing-failpoints.ts';
import type { NewCollectionsJob, NewCollectionsReport } from './new-collections-job.ts';

export interface NewCollectionsKills {
  cases: number;
  kills: number;
}

const PROCESS = new URL('new-collections-process.ts', import.meta.url);
/** The effects that concern a new collection, and an upload into it; other campaigns cover the other effects. */
const EFFECTS = new RegExp(
  [
    /^store\.(insert|update|delete)\.(edits|edit_groups|entity_refs)$/,
    /^store\.((insert|update)\.batches|insert\.uploads)$/,
    /^journal\.(collection-found|item-.*)$/,
    /^api\.post\.(collections.*|media)$/,
  ]
    .map(({ source }) => source)
    .join('|'),
);
/** The contents of the file. */
const BYTES = 'an evening at the harbour';
const SHA256 = createHash('sha256').update(BYTES).digest('hex');

interface KillCase {
  step: 'make' | 'send';
  at: Failpoint;
}

/** Thrown when a process ended without reaching its failpoint. */
class NeverMet extends Error {}

/**
 * Creates nested collections and an upload into the innermost one without a connection, then sends them, while the engine is
 * killed before and after every occurrence of each of its effects. `each`: runs only every `each`-th case. Throws unless the
 * library then has each collection once, at its place and with its name, and one item with one file in the innermost.
 */
export async function killNewCollections(
  each: number,
  onProgress: (line: string) => void,
): Promise<NewCollectionsKills> {
  const service = await startService();
  const proxy = await startWireProxy(service.baseUrl);
  const root = mkdtempSync(join(tmpdir(), 'mediadesk-new-collections-'));
  const client = await clientFor(service);
  const failures: string[] = [];
  try {
    const site = { ...service, baseUrl: proxy.baseUrl };
    const campaign = { proxy, service, client, site, root, runs: 0 };
    const passes = await runCase(campaign, null);
    const cases = (['make', 'send'] as const).flatMap((step) => casesOf(step, passes[step]));
    const chosen = cases.filter((_, index) => index % each === 0);
    for (const [index, one] of chosen.entries()) {
      await runAsFarAsMet(campaign, one).catch((error: unknown) => {
        failures.push(`${one.step}, ${failpointText(one.at)}: ${error instanceof Error ? error.message : error}`);
        onProgress(`broken: ${failures.at(-1)}`);
      });
      if ((index + 1) % 10 === 0) onProgress(`${index + 1} of ${chosen.length} cases`);
    }
    if (failures.length > 0) throw new Error(failures.join('\n'));
    return { cases: cases.length, kills: chosen.length };
  } finally {
    rmSync(root, { recursive: true, force: true });
    await proxy.close();
    await service.stop();
  }
}

interface Campaign {
  proxy: WireProxy;
  service: ServiceProcess;
  client: ServiceClient;
  site: NewCollectionsJob['site'];
  root: string;
  /** The number of runs so far. */
  runs: number;
}

function casesOf(step: KillCase['step'], passes: Record<string, number>): KillCase[] {
  return Object.entries(passes).flatMap(([name, count]) =>
    Array.from({ length: EFFECTS.test(name) ? count : 0 }, (_, index) => index + 1).flatMap((pass) =>
      (['before', 'after'] as const).map((phase) => ({ step, at: { name, pass, phase } })),
    ),
  );
}

/** Runs one case. The number of delays depends on timing: if this run has fewer of an effect, it is killed at an earlier one. */
async function runAsFarAsMet(campaign: Campaign, { step, at }: KillCase): Promise<void> {
  try {
    await runCase(campaign, { step, at });
  } catch (error) {
    if (!(error instanceof NeverMet) || at.pass === 1) throw error;
    await runAsFarAsMet(campaign, { step, at: { ...at, pass: at.pass - 1 } });
  }
}

/** Runs one case, or the story without a kill. Returns how often each effect occurred in each step. */
async function runCase(
  campaign: Campaign,
  kill: KillCase | null,
): Promise<Record<KillCase['step'], Record<string, number>>> {
  const { proxy, service, client, site, root } = campaign;
  const number = campaign.runs++;
  const profileDir = join(root, `case-${number}`);
  const created = await client.post('/api2/collections', { display_name: `Case ${number}`, parent_id: '1' });
  const parentId = created.location.split('/').at(-1) ?? '';
  const path = join(root, `case ${number}.bin`);
  writeFileSync(path, BYTES);
  const job = { profileDir, site, parentId, path, epochMs: Date.now() };
  await live({ ...job, step: 'prepare' });
  const passes: Record<KillCase['step'], Record<string, number>> = { make: {}, send: {} };
  for (const step of ['make', 'send'] as const) {
    if (step === 'make') await proxy.refuse();
    else await proxy.listen();
    if (kill?.step === step) {
      if ((await live({ ...job, step }, failpointText(kill.at))) !== null)
        throw new NeverMet('it never came to this point');
      const faults = databaseFaults(profileDir);
      if (faults.length > 0) throw new Error(faults.join('\n'));
    }
    const report = await live({ ...job, step });
    if (report === null) throw new Error('killed by a signal of another process');
    passes[step] = report.passes;
  }
  const childrenOf = async (id: string): Promise<{ id: string; display_name: string }[]> =>
    (await client.get(`/api2/collections?parent_id=${id}`)).body.items;
  const names: string[][] = [];
  const items: string[] = [];
  for (let level: string[] = [parentId]; level.length > 0; ) {
    const children = (await Promise.all(level.map(childrenOf))).flat();
    if (children.length > 0) names.push(children.map(({ display_name }) => display_name));
    for (const id of level) items.push(...(await itemsOf({ service, client }, id)));
    level = children.map(({ id }) => id);
  }
  if (JSON.stringify(names) !== '[["Top"],["Center"],["Inner"]]') throw new Error(`it has ${JSON.stringify(names)}`);
  if (JSON.stringify(items) !== JSON.stringify([`case ${number} in Inner: original`]))
    throw new Error(`it has ${JSON.stringify(items)}`);
  rmSync(profileDir, { recursive: true, force: true });
  return passes;
}

/** Returns the items of a collection, each with its collection and its files; a file with the right bytes is `original`. */
async function itemsOf(
  { service, client }: Pick<Campaign, 'service' | 'client'>,
  collectionId: string,
): Promise<string[]> {
  const { body } = await client.get(`/api2/media?collection_id=${collectionId}&per_page=200`);
  const collection = await client.get(`/api2/collections/${collectionId}`);
  const lines = (body.items as { id: string; title: string }[]).map(async ({ id, title }) => {
    const files = (await client.get(`/api2/media/${id}/files`)).body.items as { id: string; status: string }[];
    const contents = files.map(async (file) => {
      const { sha256 } = await service.control<{ sha256: string }>('GET', `/files/${file.id}/sha256`);
      return file.status === 'complete' && sha256 === SHA256 ? 'original' : `${file.status} ${sha256}`;
    });
    return `${title} in ${collection.body.display_name}: ${(await Promise.all(contents)).join(', ')}`;
  });
  return Promise.all(lines);
}

/** Runs a process to its end; null when it was killed. */
async function live(job: NewCollectionsJob, failpoint?: string): Promise<NewCollectionsReport | null> {
  const child = spawn(process.execPath, [programPath(PROCESS)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, JOB: JSON.stringify(job), ...(failpoint === undefined ? {} : { FAILPOINT: failpoint }) },
  });
  const [[code, signal], output, errors] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ]);
  if (signal === 'SIGKILL') return null;
  if (code !== 0) throw new Error(`the engine ended with ${code ?? signal}:\n${errors}`);
  return JSON.parse(output) as NewCollectionsReport;
}
