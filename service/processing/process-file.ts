import { type FileRow, findFile } from '../resources/files/file-row.ts';
import { deriveFromFiles } from '../resources/files/files.ts';
import type { Site } from '../site/site.ts';
import { StorageUnavailable } from '../storage/storage-unavailable.ts';
import { recordEncodingCompleted } from '../webhook/deliveries.ts';
import { adoptDirect } from './adopt-direct.ts';
import { type DerivedFile, type DerivedThumb, type Makers, makeEncodings, makeThumb } from './derive.ts';
import { examine, isExamined } from './examine.ts';
import { BrokenFile, type Facts } from './headers/facts.ts';
import { CRASHED_TOO_OFTEN, hasCrashedTooOften, recordStart, undoStart } from './starts.ts';

interface Outcome {
  facts: Facts | null;
  encodings: DerivedFile[];
  thumb: DerivedThumb | undefined;
  /** Why the file is unusable; null when all work succeeded. */
  reason: string | null;
}

const NOTHING: Outcome = { facts: null, encodings: [], thumb: undefined, reason: null };

/**
 * Moves one file from `processing` to `complete` or `error`. All derived files are on disk before the rows change in
 * one transaction; if the service stops in between, the next start repeats the whole work. If the service was killed
 * too often during this work, the file ends in `error`. An aborted run leaves the file unchanged, and so does one that rejects with
 * `StorageUnavailable`.
 */
export async function processFile(site: Site, given: FileRow, found: Makers, signal: AbortSignal): Promise<void> {
  const row = await adoptDirect(site, given, signal);
  if (row === undefined) return;
  const { processing } = site.settings.current();
  await pause(processing.delay_ms, signal);
  if (signal.aborted) return;
  const makers = processing.tools === 'none' ? { ...found, tools: { ffprobe: null, ffmpeg: null } } : found;
  recordStart(site.store, row);
  let outcome: Outcome;
  try {
    outcome = await work(site, row, makers, processing.outcome, signal);
  } catch (error) {
    undoStart(site.store, row);
    throw error;
  }
  if (signal.aborted) {
    undoStart(site.store, row);
    return discard(site, row, outcome);
  }
  const kept = site.store.transaction(() => save(site, row, outcome));
  if (!kept) return discard(site, row, outcome);
  site.webhook.wake();
  const status = outcome.reason === null ? 'complete' : 'error';
  site.journal.effect(site.now(), { name: `file-${status}`, file_id: row.id, reason: outcome.reason });
  if (outcome.reason !== null) site.log('a file could not be processed', { file_id: row.id, reason: outcome.reason });
}

async function work(
  site: Site,
  row: FileRow,
  makers: Makers,
  forced: 'auto' | 'complete' | 'error',
  signal: AbortSignal,
): Promise<Outcome> {
  if (forced === 'complete') return NOTHING;
  if (forced === 'error') return { ...NOTHING, reason: 'The site is set to fail every file.' };
  if (hasCrashedTooOften(row)) return { ...NOTHING, reason: CRASHED_TOO_OFTEN };
  const outcome: Outcome = { ...NOTHING };
  if (!isExamined(row)) return outcome;
  try {
    const { path, release } = await site.blobs.local(row.stored_name ?? '', signal);
    try {
      outcome.facts = await examine(row, path, makers.tools, signal);
      outcome.thumb = await makeThumb(site, row, path, outcome.facts, makers, signal);
      outcome.encodings = await makeEncodings(site, row, path, outcome.facts, makers.tools, signal);
    } finally {
      await release();
    }
  } catch (error) {
    if (error instanceof StorageUnavailable && !signal.aborted) {
      await discard(site, row, outcome);
      throw error;
    }
    if (!(error instanceof BrokenFile) && !signal.aborted)
      site.log('processing failed', { file_id: row.id, error: String(error) });
    outcome.reason = error instanceof Error ? error.message : String(error);
  }
  return outcome;
}

function save(site: Site, row: FileRow, { facts, encodings, thumb, reason }: Outcome): boolean {
  const { store } = site;
  const now = findFile(store, row.id);
  if (now?.status !== 'processing') return false;
  const nowOn = Math.floor(site.now() / 1000);
  const duration = wholeSeconds(facts);
  store.run(
    `UPDATE files SET status = ?, error_reason = ?, width = ?, height = ?, duration = ?, max_bitrate = ?, processing_starts = 0,
       container = coalesce(container, ?), modified_on = ? WHERE id = ?`,
    reason === null ? 'complete' : 'error',
    reason,
    facts?.width ?? null,
    facts?.height ?? null,
    duration,
    facts?.bitrate ?? null,
    facts?.format ?? null,
    nowOn,
    row.id,
  );
  for (const made of encodings) {
    store.run(
      `INSERT INTO files (media_id, parent_id, source, type, container, status, encoding_profile, display_name, declared_size,
         size, width, height, duration, max_bitrate, stored_name, created_on, modified_on, created_by, created_at, activity_at)
       VALUES (?, ?, 'encoding', ?, ?, 'complete', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      row.media_id,
      row.id,
      row.type,
      made.container,
      made.profile,
      row.display_name,
      made.sizeBytes,
      made.sizeBytes,
      made.facts?.width ?? null,
      made.facts?.height ?? null,
      wholeSeconds(made.facts),
      made.facts?.bitrate ?? null,
      made.storedName,
      nowOn,
      nowOn,
      row.created_by,
      site.now(),
      site.now(),
    );
  }
  if (thumb) {
    store.run(
      `INSERT INTO thumbs (resource, resource_id, file_id, width, height, content_type, stored_name, created_on)
       VALUES ('media', ?, ?, ?, ?, ?, ?, ?)`,
      row.media_id,
      row.id,
      thumb.width,
      thumb.height,
      thumb.contentType,
      thumb.storedName,
      nowOn,
    );
  }
  deriveFromFiles(store, { id: row.media_id });
  recordEncodingCompleted(site, row, reason === null ? 'complete' : 'error');
  return true;
}

function wholeSeconds(facts: Facts | null): number | null {
  return facts?.durationS == null ? null : Math.round(facts.durationS);
}

/** Deletes derived files that are not saved, because their file no longer exists or the run was aborted. */
async function discard(site: Site, row: FileRow, { encodings, thumb }: Outcome): Promise<void> {
  const names = [...encodings.map((made) => made.storedName), thumb?.storedName];
  for (const name of names) if (name !== undefined && name !== row.stored_name) await site.blobs.remove(name);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms === 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(finish, ms);
    function finish(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    }
    signal.addEventListener('abort', finish);
  });
}
