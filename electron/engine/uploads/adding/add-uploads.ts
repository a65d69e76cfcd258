import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AppErrorData, appError } from '../../../../shared/contract/app-error.ts';
import type { AddUploadsOutput, BatchDefaults } from '../../../../shared/contract/uploads.ts';
import { mergeDetails } from '../../../../shared/model/details/details-fields.ts';
import { localDay } from '../../../../shared/model/local-day.ts';
import { composeTitle, needsTitleContents, titleTemplateProblem } from '../../../../shared/model/title-template.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { sidecarsOf } from '../../companions/companion-pairs.ts';
import type { EarlierUploads } from '../../companions/earlier-uploads.ts';
import { addLateFiles, type LateFile } from '../../companions/late-files.ts';
import { pairUnclear } from '../../companions/pair-problems.ts';
import { hasFileNumber } from '../../ports/file-identity.ts';
import type { Files } from '../../ports/files.ts';
import { filesByRoot } from '../../ports/rooted-files.ts';
import { shownName } from '../../ports/system/byte-paths.ts';
import { newUpload } from '../journal/new-upload.ts';
import { chosenPlaces, rootsWhileAdding } from '../places/chosen-places.ts';
import { folderNameOf } from '../places/folder-name.ts';
import { companionFile, type VolumeOf, volumesByFolder } from '../places/volume-of.ts';
import type { AddTools } from './add-tools.ts';
import type { BatchTarget } from './batch-target.ts';
import type { FileChoices } from './file-choices.ts';
import { type FoundPath, findRecordings } from './find-recordings.ts';
import { titleNotice } from './title-notice.ts';

export interface AddRequest {
  siteId: string;
  target: BatchTarget;
  paths: readonly string[];
  /** The folders that the user chose, if `paths` are files of them. */
  roots?: readonly string[];
  defaults: BatchDefaults;
  choices: FileChoices;
  /** The earlier uploads to which captions, thumbnails and details can be added; null: these files become items of their own. */
  earlier: EarlierUploads | null;
}

/** Rows per transaction: few enough not to block other work noticeably. */
const CHUNK_ROWS = 50;
/** How many skipped paths an answer lists; the receipt lists all. */
const NAMED_SKIPS = 200;

/**
 * Creates the durable rows of a batch. A file that can't be sent gets a row, too, as `skipped` with its reason, so that a receipt
 * contains everything that was added. If the title template needs them, the tags of each file are read before its row is stored.
 * Throws `input.invalid` for an invalid title template.
 */
export async function addUploads(request: AddRequest, tools: AddTools): Promise<AddUploadsOutput> {
  const { batches, journal, clock, random, ranks } = tools;
  const files = filesByRoot(tools.files, rootsWhileAdding(request.paths, request.roots));
  const problem = titleTemplateProblem(request.defaults.titleTemplate);
  if (problem !== null) throw appError('input.invalid', { message: problem });
  const batchId = random.uuid();
  const { siteId, target, defaults } = request;
  const { priority = 'normal' } = defaults;
  const places = await chosenPlaces(tools.files, request.paths, request.roots);
  const batch = { id: batchId, siteId, ...target, below: null, defaults, addedAt: clock.now(), ...places };
  const volumeOf = volumesByFolder(tools.volumes);
  const firsts = new Firsts(volumeOf);
  let hasBatch = false;
  const late: LateFile[] = [];

  const output: AddUploadsOutput = {
    batchId,
    added: 0,
    addedBytes: 0,
    skipped: [],
    skippedCount: 0,
    sidecars: 0,
    fallbackTitles: 0,
  };
  let chunk: Upload[] = [];
  const flush = async () => {
    if (!hasBatch) batches.add(batch);
    hasBatch = true;
    journal.add(chunk, ranks(priority));
    chunk = [];
    await nextTurn();
  };
  const add = async (finding: FoundPath, id: string) => {
    const row = await toRow(finding, { id, number: output.added + 1, batchId }, request, { ...tools, volumeOf });
    chunk.push(row);
    if ('error' in finding) {
      output.skippedCount += 1;
      if (output.skipped.length < NAMED_SKIPS)
        output.skipped.push({ path: finding.path, error: finding.error.toData() });
    } else {
      output.added += 1;
      output.addedBytes += finding.facts.sizeBytes;
      output.sidecars += sidecarsOf(finding.companions).length;
      if (row.titleNotice !== null) output.fallbackTitles += 1;
    }
    if (chunk.length >= CHUNK_ROWS) await flush();
  };
  for await (const found of chosenFindings(files, request)) {
    const id = random.uuid();
    const finding = firsts.judge(found, id);
    if ('late' in finding && finding.late !== undefined) late.push({ ...finding, late: finding.late });
    else await add(finding, id);
  }
  if (request.earlier !== null && late.length > 0) {
    const { refused, ...added } = await addLateFiles(
      late,
      { siteId, priority, earlier: request.earlier, places },
      tools,
    );
    for (const { path, facts, error } of refused) await add({ path, facts, error }, random.uuid());
    if (added.count > 0) output.late = added;
  }
  // A batch without any file is stored, too: its receipt reports that.
  if (chunk.length > 0 || (!hasBatch && output.late === undefined)) await flush();
  if (!hasBatch) output.batchId = output.late?.batchIds[0] ?? late[0]?.late.upload.batchId ?? batchId;
  // One wait for all rows: a power cut must not undo confirmed rows.
  await journal.whenDurable();
  return output;
}

/** Yields the files that are added, in queue order. Chosen files that do not exist any more come last. */
async function* chosenFindings(
  files: Files,
  { paths, defaults, choices, earlier }: AddRequest,
): AsyncGenerator<FoundPath> {
  const { sidecars } = defaults;
  const found = findRecordings(files, paths, { sidecars, chosen: choices.pairs, earlier });
  const open = new OpenPairs(choices.recordings);
  for await (const finding of found) {
    const isAdmitted = choices.admits(finding.path);
    open.note(finding, isAdmitted);
    if (!isAdmitted) continue;
    if ('companions' in finding) for (const { path } of finding.companions) choices.noteAttached(path);
    yield finding;
  }
  if (choices.unseen.length > 0) yield* findRecordings(files, choices.unseen, defaults);
  if (!sidecars) return;
  for await (const finding of findRecordings(files, open.paths, { sidecars: false })) {
    if ('error' in finding) yield finding;
    else yield { path: finding.path, facts: finding.facts, error: pairUnclear(finding.path, null) };
  }
}

/** The pairs that the user chose, without those whose sidecar was found, or excluded with its recording. */
class OpenPairs {
  readonly #recordings: Map<string, string>;

  constructor(recordings: ReadonlyMap<string, string>) {
    this.#recordings = new Map(recordings);
  }

  /** Notes a finding. The sidecars of an excluded recording are excluded with it. */
  note(finding: FoundPath, isAdmitted: boolean): void {
    const { path } = finding;
    this.#recordings.delete(path);
    if (isAdmitted && 'companions' in finding)
      for (const each of finding.companions) this.#recordings.delete(each.path);
    if (isAdmitted) return;
    for (const [sidecar, recording] of this.#recordings) if (recording === path) this.#recordings.delete(sidecar);
  }

  get paths(): string[] {
    return [...this.#recordings.keys()];
  }
}

/** Detects files that were added twice (links, other spellings of a name). Files without numbers are never taken for one. */
class Firsts {
  readonly #volumeOf: VolumeOf;
  readonly #byIdentity = new Map<string, { id: string; path: string; sizeBytes: number; mtimeMs: number }>();

  constructor(volumeOf: VolumeOf) {
    this.#volumeOf = volumeOf;
  }

  /** Returns the finding, or a skipped one when the file was added already. */
  judge(finding: FoundPath, id: string): FoundPath {
    if ('error' in finding) return finding;
    const { path, facts } = finding;
    const { sizeBytes, mtimeMs } = facts;
    if (!hasFileNumber(facts.identity)) return finding;
    // Two drives may have one device number.
    const identity = `${facts.identity} ${this.#volumeOf(path, facts)}`;
    const first = this.#byIdentity.get(identity);
    if (first === undefined) {
      this.#byIdentity.set(identity, { id, path, sizeBytes, mtimeMs });
      return finding;
    }
    // Some file systems give one number to several files.
    if (first.sizeBytes !== sizeBytes || first.mtimeMs !== mtimeMs) return finding;
    return { path, facts, error: appError('upload.same-file', { details: { path: first.path, uploadId: first.id } }) };
  }
}

async function toRow(
  finding: FoundPath,
  { id, number, batchId }: { id: string; number: number; batchId: string },
  request: AddRequest,
  tools: AddTools & { volumeOf: VolumeOf },
): Promise<Upload> {
  const { siteId, target, defaults, choices } = request;
  const now = tools.clock.now();
  const facts = finding.facts ?? null;
  const isSkipped = 'error' in finding;
  const companions = isSkipped ? [] : finding.companions;
  const own = { ...mergeDetails(companions), ...choices.fieldsOf(finding.path) };
  const { title, notice } =
    own.title === undefined ? await titleOf(finding, number, request, tools) : { title: own.title, notice: null };
  const fields = { tags: defaults.tags, ...own, title };
  const fileName = shownName(basename(finding.path));
  const upload = newUpload({
    id,
    batch: { id: batchId, siteId, collectionId: target.collectionId },
    path: finding.path,
    fileName,
    facts,
    volume: facts === null ? '' : tools.volumeOf(finding.path, facts),
    companions: companions.map((each) => companionFile(each, tools.volumeOf)),
    fields,
    titleNotice: notice,
    now,
    defaults: { ...defaults, publish: choices.publishOf(finding.path) ?? defaults.publish },
  });
  const row: Upload = { ...upload, priority: defaults.priority ?? 'normal' };
  return isSkipped ? { ...row, state: 'skipped', followUps: [], error: finding.error.toData(), endedAt: now } : row;
}

/** Returns the title by the template, and why it differs from the template. Files that are skipped are not read. */
async function titleOf(
  { path, facts, ...finding }: FoundPath,
  number: number,
  { paths, roots, defaults }: AddRequest,
  { mediaFacts, clock }: AddTools,
): Promise<{ title: string; notice: AppErrorData | null }> {
  const isSkipped = 'error' in finding;
  const template = defaults.titleTemplate;
  const isRead = !isSkipped && needsTitleContents(template);
  const contents = isRead ? await mediaFacts(path, rootsWhileAdding(paths, roots)(path)) : null;
  const { title, missing } = composeTitle(template, {
    fileName: shownName(basename(path)),
    folderName: folderNameOf(path),
    number,
    contents,
    date: localDay(facts?.mtimeMs ?? clock.now()),
  });
  return { title, notice: isSkipped ? null : titleNotice(missing, contents?.problem ?? null) };
}
