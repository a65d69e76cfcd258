import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AddUploadsOutput, BatchDefaults } from '../../../shared/contract/uploads.ts';
import { renderTitle } from '../../../shared/model/title-template.ts';
import { UNTRIED, type Upload } from '../../../shared/model/upload-machine.ts';
import type { Clock } from '../ports/clock.ts';
import type { Files } from '../ports/files.ts';
import type { Random } from '../ports/random.ts';
import { type Finding, findRecordings, folderNameOf } from './find-recordings.ts';
import { localDay } from './local-day.ts';
import type { UploadJournal } from './upload-journal.ts';
import type { UploadStore } from './upload-store.ts';

export interface AddTools {
  store: UploadStore;
  journal: UploadJournal;
  files: Files;
  clock: Clock;
  random: Random;
  /** The place of rows that are added now, inside their priority. */
  ranks(): (upload: Upload, index: number) => number;
}

export interface AddRequest {
  siteId: string;
  collectionId: string;
  collectionName: string;
  paths: readonly string[];
  defaults: BatchDefaults;
}

/** Rows per transaction: few enough that nothing else waits for long. */
const CHUNK_ROWS = 500;
/** How many skipped paths an answer names; the receipt names all. */
const NAMED_SKIPS = 200;

/**
 * Makes the durable rows of a batch. What can't be sent becomes a row as well, `skipped` with its reason, so that a
 * receipt accounts for everything that was added.
 */
export async function addUploads(request: AddRequest, tools: AddTools): Promise<AddUploadsOutput> {
  const { store, journal, files, clock, random, ranks } = tools;
  const batchId = random.uuid();
  const { siteId, collectionId, collectionName, defaults } = request;
  store.addBatch({ id: batchId, siteId, collectionId, collectionName, defaults, addedAt: clock.now() });

  const output: AddUploadsOutput = { batchId, added: 0, addedBytes: 0, skipped: [], skippedCount: 0 };
  let chunk: Upload[] = [];
  const flush = async () => {
    journal.add(chunk, ranks());
    chunk = [];
    await nextTurn();
  };
  for await (const finding of findRecordings(files, request.paths)) {
    chunk.push(toRow(finding, output.added + 1, batchId, request, tools));
    if ('error' in finding) {
      output.skippedCount += 1;
      if (output.skipped.length < NAMED_SKIPS)
        output.skipped.push({ path: finding.path, error: finding.error.toData() });
    } else {
      output.added += 1;
      output.addedBytes += finding.facts.sizeBytes;
    }
    if (chunk.length >= CHUNK_ROWS) await flush();
  }
  if (chunk.length > 0) await flush();
  return output;
}

function toRow(finding: Finding, number: number, batchId: string, request: AddRequest, tools: AddTools): Upload {
  const { siteId, collectionId, defaults } = request;
  const now = tools.clock.now();
  const facts = 'facts' in finding ? finding.facts : null;
  const fileName = basename(finding.path);
  const title = renderTitle(defaults.titleTemplate, {
    fileName,
    folderName: folderNameOf(finding.path),
    number,
    date: localDay(facts?.mtimeMs ?? now),
  });
  return {
    id: tools.random.uuid(),
    batchId,
    siteId,
    collectionId,
    path: finding.path,
    fileName,
    sizeBytes: facts?.sizeBytes ?? 0,
    mtimeMs: facts?.mtimeMs ?? 0,
    identity: facts?.identity ?? '',
    title,
    tags: defaults.tags,
    publish: defaults.publish,
    priority: 'normal',
    state: 'error' in finding ? 'skipped' : 'queued',
    ...UNTRIED,
    error: 'error' in finding ? finding.error.toData() : null,
    addedAt: now,
    endedAt: 'error' in finding ? now : null,
  };
}
