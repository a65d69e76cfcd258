import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { EditJournal } from '../../../electron/engine/edits/journal/edit-journal.ts';
import { EditStore } from '../../../electron/engine/edits/journal/edit-store.ts';
import type { Clock } from '../../../electron/engine/ports/clock.ts';
import { silentLogger } from '../../../electron/engine/ports/logger.ts';
import { nodeRandom } from '../../../electron/engine/ports/system/node-random.ts';
import { openQueueStore } from '../../../electron/engine/store/open-queue-store.ts';
import { createSiteRecords } from '../../../electron/engine/store/site-store.ts';
import { BatchStore } from '../../../electron/engine/uploads/journal/batch-store.ts';
import { FollowUpRows } from '../../../electron/engine/uploads/journal/follow-up-rows.ts';
import { UploadJournal } from '../../../electron/engine/uploads/journal/upload-journal.ts';
import { UploadStore } from '../../../electron/engine/uploads/journal/upload-store.ts';
import { batchDefaultsSchema } from '../../../shared/contract/uploads.ts';
import { type FollowUp, newFollowUp } from '../../../shared/model/uploads/follow-ups.ts';
import type { Destination, Upload, UploadEvent } from '../../../shared/model/uploads/upload.ts';
import { UNTRIED } from '../../../shared/model/uploads/upload-machine.ts';
import type { Prng } from '../../helpers/data/prng.ts';

/** The queue files in a profile folder. */
const QUEUE_FILES = ['queue.db', 'queue.db-wal', 'queue.db-shm', 'queue.rows', 'queue.edits', 'profile.lock'] as const;

const SITE_ID = 'site';
/** What every edit makes of a title. */
export const NEW_TITLE = 'x'.repeat(50);
const LARGEST_BATCH = 60;
const MOST_FACTS_BETWEEN = 120;

/**
 * Works on a real queue in `profileDir` and copies its files, as a crash would leave them, into the folders
 * `target(0)`, `target(1)`, …
 */
export async function copyQueueAtWork(
  profileDir: string,
  copies: number,
  target: (index: number) => string,
  prng: Prng,
  clock: Clock,
): Promise<void> {
  const { database, close } = await openQueueStore(profileDir, clock);
  createSiteRecords(database).put({
    id: SITE_ID,
    baseUrl: 'http://127.0.0.1:9',
    clientId: 'client',
    userId: 'u',
    accountName: null,
    addedAt: clock.now(),
    keychainSlot: 'a',
    keptIn: 'memory',
    refreshingSince: null,
    signedIn: true,
  });
  const store = new UploadStore(database);
  const batches = new BatchStore(database);
  const journal = new UploadJournal(store, silentLogger, new FollowUpRows(database));
  const edits = new EditJournal(new EditStore(database), { clock, random: nodeRandom });
  const ids: string[] = [];
  for (let copy = 0; copy < copies; copy += 1) {
    if (copy === 0 || prng.chance(0.4)) {
      ids.push(...addBatch(batches, journal, ids.length, prng, clock));
      await journal.whenDurable();
    }
    for (let left = prng.int(0, MOST_FACTS_BETWEEN); left > 0; left -= 1) {
      const id = prng.pick(ids);
      journal.record(id, nextFact(store.get(id), prng, clock));
    }
    for (let left = prng.int(0, 2); left > 0; left -= 1) await editSomething(edits, prng, clock);
    // Sometimes SQLite has just done a checkpoint.
    if (prng.chance(0.1)) database.exec('PRAGMA wal_checkpoint(PASSIVE)');
    copyQueue(profileDir, target(copy));
  }
  close();
}

/** Adds an edit of some items, or records the results of open edits. */
async function editSomething(journal: EditJournal, prng: Prng, clock: Clock): Promise<void> {
  const open = [...journal.openEntities()].flatMap(({ siteId, entityId }) => journal.store.openOf(siteId, entityId));
  if (open.length > 0 && prng.chance(0.3)) {
    journal.record(
      open.slice(0, prng.int(1, 5)).map((before) => {
        const ops = (before.ops ?? []).map(({ op }) => ({ op, outcome: 'sent' as const, wrote: 'x' }));
        return { before, after: { ...before, ops, state: 'done' as const, sentAt: clock.now(), endedAt: clock.now() } };
      }),
    );
    return;
  }
  const edits = Array.from({ length: prng.int(1, 8) }, () => {
    const entityId = String(prng.int(1, 30));
    const op = { kind: 'set-field', v: 1, field: 'title', base: `Talk ${entityId}`, mine: NEW_TITLE } as const;
    return { entityId, name: `Talk ${entityId}`, ops: [{ op, outcome: null }] };
  });
  await journal.add({ siteId: SITE_ID, label: 'Titles', change: null, undoes: null, edits });
}

/** Copies a queue while nothing writes to it. */
export function copyQueue(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of QUEUE_FILES) {
    // The lock is not copied: it is held, and its file is empty.
    if (name !== 'profile.lock' && existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
  }
}

function addBatch(batches: BatchStore, journal: UploadJournal, known: number, prng: Prng, clock: Clock): string[] {
  const batchId = `batch-${known}`;
  const defaults = batchDefaultsSchema.parse({ tags: ['optics'] });
  batches.add({
    id: batchId,
    siteId: SITE_ID,
    collectionId: '1',
    collectionName: 'Lectures',
    collectionRef: null,
    below: null,
    addedAt: clock.now(),
    roots: [],
    defaults,
  });
  const rows = Array.from({ length: prng.int(1, LARGEST_BATCH) }, (_, index): Upload => {
    const number = known + index;
    return {
      id: `upload-${number}`,
      batchId,
      siteId: SITE_ID,
      collectionId: '1',
      path: `/recordings/${number}.wav`,
      fileName: `${number}.wav`,
      sizeBytes: 1000 + number,
      mtimeMs: clock.now(),
      identity: `1:${number}`,
      volume: '',
      title: `Recording ${number}`,
      byline: '',
      description: '',
      tags: ['optics', 'week 7'],
      publish: { kind: 'draft' },
      state: 'queued',
      ...UNTRIED,
      addedAt: clock.now(),
      priority: 'normal',
      duplicates: 'ask',
      followUps: number % 2 === 0 ? followUpsOf(number) : [],
    };
  });
  journal.add(rows, (_, index) => known + index);
  return rows.map(({ id }) => id);
}

/** The next event that the runner would record for an upload, sometimes a failure. */
function nextFact(upload: Upload | null, prng: Prng, clock: Clock): UploadEvent {
  const at = clock.now();
  if (upload === null || upload.state === 'queued' || upload.state === 'waiting') return { kind: 'started' };
  if (upload.state === 'failed' || upload.state === 'cancelled') return { kind: 'retried' };
  if (upload.state === 'paused') return { kind: 'resumed', transferAlive: false };
  if (prng.chance(0.05)) return { kind: 'paused' };
  if (prng.chance(0.05)) {
    const error = { code: 'api.server-error', message: 'No.', nextStep: null, details: { status: 500 } };
    return { kind: 'delayed', error, until: at + 10_000, failed: { step: 'send', answered: 0 } };
  }
  if (upload.itemIntentAt === null) return { kind: 'item-intended', at };
  if (upload.mediaId === null) return { kind: 'item-created', mediaId: upload.id.replace('upload-', '1') };
  if (upload.fileIntentAt === null) return { kind: 'file-intended', at };
  if (upload.fileId === null) {
    const destination: Destination = {
      upload_url: `http://127.0.0.1:9/upload/${upload.id}`,
      upload_file_param: 'file',
      upload_post_params: [
        ['key', upload.id],
        ['policy', 'x'.repeat(200)],
      ],
      postprocess_url: `http://127.0.0.1:9/postprocess/${upload.id}`,
    };
    return { kind: 'file-created', fileId: `f${upload.id}`, destination, at };
  }
  if (upload.sendStartedAt === null) return { kind: 'send-started', at };
  if (upload.sentAt === null) return { kind: 'sent', at, sha256: 'a'.repeat(64) };
  if (upload.finishedAt === null) return { kind: 'finished', at };
  const index = prng.int(0, upload.followUps.length);
  if (upload.state !== 'complete' || upload.followUps[index] === undefined) return { kind: 'completed', at };
  const error = { code: 'api.server-error', message: 'No.', nextStep: null, details: { status: 500 } };
  return prng.pick<UploadEvent>([
    { kind: 'follow-up-noted', index, facts: { intentAt: at } },
    { kind: 'follow-up-failed', index, error },
    { kind: 'follow-up-delayed', index, error, until: at + 10_000, usesRetry: true },
    { kind: 'follow-up-done', index },
    { kind: 'follow-ups-retried' },
  ]);
}

function followUpsOf(number: number): FollowUp[] {
  const captions = { kind: 'captions' as const, path: `/recordings/${number}.vtt`, fileName: `${number}.vtt` };
  const source = { kind: 'source' as const, path: `/recordings/${number}.wav`, fileName: `${number}.wav` };
  return [newFollowUp(captions), newFollowUp({ ...source, source: { kind: 'move', folder: '/sent' } })];
}
