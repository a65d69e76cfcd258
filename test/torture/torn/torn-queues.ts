import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createEngine } from '../../../electron/engine/create-engine.ts';
import { silentLogger } from '../../../electron/engine/ports/logger.ts';
import { createMemoryKeychain } from '../../../electron/engine/ports/system/keychain-memory.ts';
import { nodeClock } from '../../../electron/engine/ports/system/node-clock.ts';
import { nodeRandom } from '../../../electron/engine/ports/system/node-random.ts';
import { AppError } from '../../../shared/contract/app-error.ts';
import type { EditRow } from '../../../shared/contract/edits.ts';
import type { UploadRow } from '../../../shared/contract/uploads.ts';
import { UPLOAD_STATES } from '../../../shared/model/uploads/upload-states.ts';
import { Prng } from '../../helpers/data/prng.ts';
import { integrityFaults } from '../../helpers/system/integrity.ts';
import { DAMAGES, type Damage, pageDamages } from './damages.ts';
import { copyQueue, copyQueueAtWork, NEW_TITLE } from './queue-at-work.ts';

export interface TornReport {
  cases: number;
  /** The number of queues by result. */
  whole: number;
  rowsMissing: number;
  rowsFailed: number;
  setAside: number;
  refused: number;
  /** The number of queues whose newest edits are missing, and of queues with unreadable edits. */
  editsMissing: number;
  editsRefused: number;
}

type Ending = Exclude<keyof TornReport, 'cases' | 'editsMissing' | 'editsRefused'>;

const COPIES_OF_A_QUEUE = 10;
const OPEN_AT_ONCE = 8;

function emptyReport(): TornReport {
  const endings = { whole: 0, rowsMissing: 0, rowsFailed: 0, setAside: 0, refused: 0 };
  return { cases: 0, ...endings, editsMissing: 0, editsRefused: 0 };
}

/**
 * Copies queues during work, damages each copy and opens it with the real engine: it must be complete, or report what
 * is missing, or be renamed unchanged with a notice, or be refused unchanged. Throws with all violations.
 */
export async function openTornQueues(
  cases: number,
  seed: number,
  onProgress: (line: string) => void,
): Promise<TornReport> {
  const report = emptyReport();
  const failures: string[] = [];
  const root = mkdtempSync(join(tmpdir(), 'mediadesk-torn-'));
  try {
    for (let number = 0; number < cases; number += 1) {
      const prng = new Prng(seed + number, 1);
      const copies = join(root, `queue-${Math.floor(number / DAMAGES.length)}`);
      const copyOf = (index: number) => join(copies, `copy-${index}`);
      if (!existsSync(copies)) {
        const worker = new Prng(seed + number, 2);
        await copyQueueAtWork(join(copies, 'work'), COPIES_OF_A_QUEUE, copyOf, worker, nodeClock);
      }
      const damage = DAMAGES[number % DAMAGES.length];
      if (damage === undefined) throw new Error('no damage');
      const newest = prng.int(1, COPIES_OF_A_QUEUE - 1);
      const folder = join(root, `case-${number}`);
      const faults = await openOne(damage, copyOf(newest), copyOf(prng.int(0, newest - 1)), folder, prng, report);
      if (faults.length > 0) {
        failures.push(`seed ${seed}, case ${number}, ${damage.name}:\n  ${faults.join('\n  ')}`);
      }
      report.cases += 1;
      rmSync(folder, { recursive: true, force: true });
      if (report.cases % 100 === 0) onProgress(`${report.cases} of ${cases} cases`);
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  if (failures.length > 0) throw new Error(`${failures.length} of ${cases} cases:\n${failures.join('\n')}`);
  return report;
}

/**
 * Tears one queue at every page of its database and its log, in every way of `pageDamages`: once as a crash leaves it, with its
 * newest changes in the log, and once with all of them in the database. Opens every `each`-th of these. Throws with all violations.
 */
export async function openQueueTornAtPages(each: number, seed: number, onProgress: (line: string) => void) {
  const report = emptyReport();
  const failures: string[] = [];
  const root = mkdtempSync(join(tmpdir(), 'mediadesk-torn-pages-'));
  const copyOf = (index: number) => join(root, `copy-${index}`);
  try {
    await copyQueueAtWork(join(root, 'work'), 3, copyOf, new Prng(seed, 2), nodeClock);
    const cases = [
      { good: copyOf(2), older: copyOf(1) },
      { good: withoutLog(copyOf(2)), older: withoutLog(copyOf(1)) },
    ].flatMap((files) => pageDamages(files.good).map((damage) => ({ damage, ...files })));
    const chosen = cases.map((one, index) => ({ ...one, index })).filter(({ index }) => index % each === 0);
    const next = chosen.values();
    // Several queues are opened at a time, because opening one mostly waits for the disk.
    const openNext = async () => {
      for (const one of next) await openCase(one);
    };
    const openCase = async ({ damage, good, older, index }: (typeof chosen)[number]) => {
      const folder = join(root, `case-${index}`);
      const faults = await openOne(damage, good, older, folder, new Prng(seed, index), report);
      if (faults.length > 0) {
        failures.push(`seed ${seed}, case ${index}, ${damage.name}:\n  ${faults.join('\n  ')}`);
        onProgress(failures.at(-1) ?? '');
      }
      report.cases += 1;
      rmSync(folder, { recursive: true, force: true });
      if (report.cases % 100 === 0) onProgress(`${report.cases} of ${chosen.length} cases`);
    };
    await Promise.all(Array.from({ length: OPEN_AT_ONCE }, openNext));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  if (failures.length > 0) throw new Error(failures.join('\n'));
  return report;
}

/** Returns a copy of a queue whose database contains all changes that were in the log. */
function withoutLog(folder: string): string {
  const copy = `${folder}-without-log`;
  copyQueue(folder, copy);
  new DatabaseSync(join(copy, 'queue.db')).close();
  return copy;
}

async function openOne(
  damage: Damage,
  good: string,
  older: string,
  folder: string,
  prng: Prng,
  report: TornReport,
): Promise<string[]> {
  copyQueue(good, folder);
  const before = rowsOf(good, 'uploads');
  const editsBefore = rowsOf(good, 'edits');
  damage.apply(folder, older, prng);
  const found = `${folder}-found`;
  cpSync(folder, found, { recursive: true });
  try {
    const first = await look(folder);
    const faults = [...judge(first, before, folder, found, report), ...judgeEdits(first, editsBefore, report)];
    // The notice appears again at the next start.
    if (!('refusal' in first)) {
      const second = await look(folder);
      const again = 'refusal' in second ? [second.refusal.code] : second.notices;
      if (again.join() !== first.notices.join()) faults.push(`says ${first.notices.join()}, and then ${again.join()}`);
      if (!('refusal' in second) && second.rows.length !== first.rows.length)
        faults.push('has other rows the next time');
      if (!('refusal' in second) && second.edits.length !== first.edits.length)
        faults.push('has other edits the next time');
    }
    return faults;
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  } finally {
    rmSync(found, { recursive: true });
  }
}

type Look = { refusal: AppError } | { rows: UploadRow[]; edits: EditRow[]; notices: string[] };

/** Returns everything that a screen reads from a queue. */
async function look(profileDir: string): Promise<Look> {
  const host = {
    version: '0.0.0-torture',
    platform: process.platform,
    clock: nodeClock,
    random: nodeRandom,
    logger: silentLogger,
    keychain: createMemoryKeychain(),
    openers: { embedded: null, system: null },
    presets: { baseUrl: '', clientId: '' },
  };
  try {
    const engine = await createEngine({ profileDir, ...host });
    try {
      const rows: UploadRow[] = [];
      for (;;) {
        const page = { filter: 'all', batchId: null, offset: rows.length, limit: 500 } as const;
        const answer = await engine.call('uploads.list', page);
        rows.push(...answer.rows);
        if (answer.rows.length === 0 || rows.length >= answer.total) break;
      }
      await engine.call('uploads.totals', null);
      await engine.call('sites.list', null);
      for (const { id: batchId } of await engine.call('uploads.batches', { limit: 500 })) {
        await engine.call('uploads.receipt', { batchId });
      }
      const edits: EditRow[] = [];
      for (;;) {
        const page = { groupId: null, filter: 'all', entityId: null, offset: edits.length, limit: 500 } as const;
        const answer = await engine.call('edits.groupRows', page);
        edits.push(...answer.rows);
        if (answer.rows.length === 0 || edits.length >= answer.total) break;
      }
      await engine.call('edits.groups', { siteId: null, isOpen: false, offset: 0, limit: 500 });
      const { notices } = await engine.call('app.info', null);
      return { rows, edits, notices: notices.map(({ code }) => code) };
    } finally {
      await engine.stop();
    }
  } catch (error) {
    if (error instanceof AppError && REFUSALS.has(error.code)) return { refusal: error };
    throw error;
  }
}

const REFUSALS: ReadonlySet<string> = new Set(['profile.newer', 'profile.unwritable']);

function judge(seen: Look, before: number, folder: string, found: string, report: TornReport): string[] {
  const note = (ending: Ending) => {
    report[ending] += 1;
  };
  if ('refusal' in seen) {
    note('refused');
    return seen.refusal.code === 'profile.newer' ? changesOf('queue.db', 'queue.db', folder, found) : [];
  }
  const faults = integrityFaults(join(folder, 'queue.db'));
  const strange = seen.rows.filter(({ state }) => !UPLOAD_STATES.includes(state));
  if (strange.length > 0) faults.push(`${strange.length} rows in no known state`);
  if (seen.notices.includes('profile.damaged')) {
    note('setAside');
    const kept = readdirSync(folder).filter((name) => name.startsWith('queue.db.damaged-'));
    for (const name of kept.filter((each) => !each.endsWith('-shm'))) {
      faults.push(...changesOf(name.endsWith('-wal') ? 'queue.db-wal' : 'queue.db', name, folder, found));
    }
    return kept.length === 0 ? [...faults, 'nothing was kept'] : faults;
  }
  if (seen.rows.length < before) {
    note('rowsMissing');
    if (!seen.notices.includes('profile.rows-missing'))
      faults.push(`${before - seen.rows.length} rows vanished in silence`);
    return faults;
  }
  const damaged = seen.rows.filter(({ error }) => error?.code === 'profile.row-damaged');
  note(damaged.length > 0 ? 'rowsFailed' : 'whole');
  if (damaged.some(({ state }) => state !== 'failed')) faults.push('a damaged row is not failed');
  return faults;
}

/** Checks that no edit is lost without a notice, and that an unreadable edit is shown. */
function judgeEdits(seen: Look, before: number, report: TornReport): string[] {
  if ('refusal' in seen || seen.notices.includes('profile.damaged')) return [];
  report.editsRefused += seen.edits.some(({ error }) => error?.code === 'edit.unreadable') ? 1 : 0;
  const strange = seen.edits.filter(({ state, error }) => state === 'refused' && error?.code !== 'edit.unreadable');
  if (strange.length > 0) return [`${strange.length} edits were refused for no reason`];
  // Every edit of these queues makes its item's title `NEW_TITLE`.
  const altered = seen.edits.filter(({ entityId, error, changes }) => {
    const isAsMade = changes.every(
      ({ field, before: was, after }) => field === 'title' && was === `Talk ${entityId}` && after === NEW_TITLE,
    );
    return error?.code !== 'edit.unreadable' && !isAsMade;
  });
  if (altered.length > 0) return [`${altered.length} edits do something else in silence`];
  if (seen.edits.length >= before) return [];
  report.editsMissing += 1;
  return seen.notices.includes('profile.edits-missing')
    ? []
    : [`${before - seen.edits.length} edits vanished in silence`];
}

function changesOf(was: string, is: string, folder: string, found: string): string[] {
  const kept = readFileSync(join(folder, is));
  return kept.equals(readFileSync(join(found, was))) ? [] : [`${is} is not what ${was} was`];
}

/** The number of rows of an undamaged copy. */
function rowsOf(folder: string, table: 'uploads' | 'edits'): number {
  const copy = `${folder}-counted`;
  copyQueue(folder, copy);
  const database = new DatabaseSync(join(copy, 'queue.db'));
  try {
    return Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
  } finally {
    database.close();
    rmSync(copy, { recursive: true });
  }
}
