import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { effectsOf } from '../../helpers/service/journal.ts';
import type { Answer, ServiceClient } from '../../helpers/service/service-client.ts';
import type { ServiceProcess } from '../../helpers/service/service-process.ts';
import { integrityFaults } from '../../helpers/system/integrity.ts';
import { type EngineCase, sha256Of } from './engine-case.ts';
import type { Job, JobReport } from './job.ts';
import { BYLINE, TRAVELED } from './story-files.ts';

/** The violations that the checks found; empty when every guarantee held. */
export interface Outcome {
  complete: number;
  broken: string[];
}

/**
 * Compares the service with the disk after the engine reports that it is idle: each file exactly once, with one item, one file
 * and the same bytes; no other item in the collection; an intact queue.
 */
export async function checkOutcome(engineCase: EngineCase, report: JobReport): Promise<Outcome> {
  const { service, client, job, originals } = engineCase;
  const broken = [...databaseFaults(job.profileDir)];
  const items = await allItems(client, job.collectionId);
  const rowsByPath = Map.groupBy(report.rows, ({ path }) => path);
  const owned = new Set<string>();
  let complete = 0;
  for (const [name, original] of originals) {
    // Captions and pictures belong to their recording.
    if (/\.(vtt|png)$/.test(name)) continue;
    const isRenamed = name === 'travels.bin' && existsSync(join(job.folder, TRAVELED));
    const path = join(job.folder, isRenamed ? TRAVELED : name);
    const rows = rowsByPath.get(path) ?? [];
    const [row] = rows;
    if (row?.mediaId != null && rows.length === 1) owned.add(row.mediaId);
    const fault = rowFault(name, rows);
    if (fault !== null) broken.push(`${name}: ${fault}`);
    else if (row?.state === 'complete') {
      complete += 1;
      const sha256 = existsSync(path) ? sha256Of(path) : original;
      broken.push(...(await fileFaults(service, client, row, sha256)).map((each) => `${name}: ${each}`));
    }
  }
  const strange = items.filter(({ id }) => !owned.has(String(id)));
  broken.push(...strange.map(({ id, title }) => `item ${id} “${title}” belongs to no upload`));
  const titles = Map.groupBy(items, ({ title }) => title);
  const doubled = [...titles].filter(([, same]) => same.length > 1);
  broken.push(...doubled.map(([title, same]) => `“${title}” is there ${same.length} times`));
  broken.push(...(await usedTwice(service)));
  if (job.story === 'afterwards') {
    broken.push(...placeFaults(engineCase));
    const plain = items.filter(({ byline }) => byline !== BYLINE);
    broken.push(...plain.map(({ title, byline }) => `“${title}” has the byline “${byline}” instead of “${BYLINE}”`));
  }
  return { complete, broken };
}

/** Each file has one row, which is complete unless the story cancels or skips it. */
function rowFault(name: string, rows: JobReport['rows']): string | null {
  const [row] = rows;
  if (row === undefined || rows.length > 1) return `${rows.length} rows`;
  const isGivenUp = row.state === 'cancelled' || (row.state === 'skipped' && name.startsWith('skipped'));
  return isGivenUp || row.state === 'complete' ? null : `is ${row.state}, not complete`;
}

/** Recordings with captions, by title: of the stories `afterwards` and `station`. */
const WITH_CAPTIONS: ReadonlySet<string> = new Set(['moved', 'spoken']);

async function fileFaults(
  service: ServiceProcess,
  client: ServiceClient,
  row: JobReport['rows'][number],
  sha256: string,
): Promise<string[]> {
  const files = await client.get(`/api2/media/${row.mediaId}/files`);
  if (files.status !== 200) return [`its item is not there (${files.status})`];
  const uploaded = itemsOf(files).filter(({ source }) => source !== 'encoding');
  const originals = uploaded.filter(({ type }) => type !== 'captions');
  if (originals.length !== 1) return [`its item has ${originals.length} files`];
  const [file] = originals;
  const faults: string[] = [];
  const captions = uploaded.length - originals.length;
  if (captions !== (WITH_CAPTIONS.has(row.title) ? 1 : 0)) faults.push(`its item has ${captions} captions`);
  if (String(file.id) !== row.fileId) faults.push('its file is not the one that the queue knows');
  if (file.status !== 'complete') faults.push(`its file is ${file.status}`);
  const stored = await service.control<{ sha256: string }>('GET', `/files/${file.id}/sha256`);
  if (stored.sha256 !== sha256) faults.push('the stored bytes are others');
  if (row.sha256 !== null && row.sha256 !== sha256) faults.push('the receipt has another hash');
  return faults;
}

/** Checks that each file of the story `afterwards` is complete at its configured path, and at no other. */
function placeFaults({ job, originals }: EngineCase): string[] {
  const found = [job.folder, ...Object.values(job.places)].flatMap((folder) =>
    existsSync(folder) ? readdirSync(folder).map((name) => ({ folder, name })) : [],
  );
  const faults: string[] = [];
  for (const [name, sha256] of originals) {
    const places = found.filter((each) => each.name === name);
    const wanted = job.places[name.split('.')[0] as keyof Job['places']];
    if (places.length !== 1 || places[0]?.folder !== wanted) {
      faults.push(`${name} is in ${places.map(({ folder }) => folder).join(' and ') || 'no place'}, not in ${wanted}`);
    } else if (sha256Of(join(wanted, name)) !== sha256) faults.push(`${name} has other bytes`);
  }
  const strange = found.filter(({ name }) => !originals.has(name));
  return [...faults, ...strange.map(({ folder, name }) => `${join(folder, name)} is left over`)];
}

/** PRAGMA integrity_check on the queue file. */
export function databaseFaults(profileDir: string): string[] {
  return integrityFaults(join(profileDir, 'queue.db')).map((fault) => `queue: ${fault}`);
}

/** Returns a violation for each destination that received more than one complete form. */
async function usedTwice(service: ServiceProcess): Promise<string[]> {
  const stored = await effectsOf(service, 'bytes-stored');
  const byFile = Map.groupBy(stored, ({ file_id }) => file_id);
  return [...byFile].filter(([, times]) => times.length > 1).map(([id]) => `file ${id} took its bytes more than once`);
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of the service, read as they come
type Body = any;

async function allItems(client: ServiceClient, collectionId: string): Promise<Body[]> {
  const items: Body[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await client.get(`/api2/media?collection_id=${collectionId}&per_page=200&_p=${page}`);
    if (answer.status !== 200) throw new Error(`the items were not listed: ${answer.status} ${answer.text}`);
    const some = itemsOf(answer);
    items.push(...some);
    if (some.length < 200) return items;
  }
}

function itemsOf({ body }: Answer): Body[] {
  return body.items;
}
