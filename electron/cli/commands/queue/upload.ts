import { dirname, resolve } from 'node:path';
import { type AppErrorData, appError } from '../../../../shared/contract/app-error.ts';
import type { Series } from '../../../../shared/contract/series.ts';
import type { Site } from '../../../../shared/contract/sites.ts';
import {
  type DuplicateChoice,
  duplicateChoiceSchema,
  type PublishChoice,
  type SourceChoice,
} from '../../../../shared/contract/upload-choices.ts';
import type { AddUploadsOutput, BatchDefaults } from '../../../../shared/contract/uploads.ts';
import { isoOf } from '../../../../shared/model/iso-instant.ts';
import { TITLE_TOKENS, titleTemplateProblem } from '../../../../shared/model/title-template.ts';
import { oneOf, optionText, requiredText, WAIT_OPTION } from '../../arguments/options.ts';
import { readSeries, SERIES_OPTIONS, type WantedSeries } from '../../arguments/series-options.ts';
import { readSource, readWords } from '../../arguments/upload-options.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { warnOfClock } from '../../command-base/clock-warning.ts';
import { currentSite, type EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand, SENDING_INTERRUPTED } from '../../command-base/define-engine-command.ts';
import { sendEdits } from '../../edits/send-edits.ts';
import { seriesOf } from '../../edits/series-of.ts';
import { EXIT, type ExitCode, exitCodeOf } from '../../output/exit-codes.ts';
import { localTime } from '../../output/local-time.ts';
import { afterCommand } from '../../output/next-step.ts';
import { countedFiles, formatBytes } from '../../output/text-format.ts';
import {
  checkManifest,
  MANIFEST_OPTIONS,
  type ManifestInput,
  readManifestOptions,
} from '../../spreadsheets/upload-manifest.ts';
import { NOT_SENT_YET } from '../../uploads/changed-uploads.ts';
import { filesInSeries } from '../../uploads/files-in-series.ts';
import { queueGroups } from '../../uploads/queue-groups.ts';
import { sendBatch } from '../../uploads/send-batch.ts';
import { troubledSkips } from '../../uploads/upload-outcome.ts';

type AddedLate = NonNullable<AddUploadsOutput['late']>;

interface UploadInput {
  paths: string[];
  /** The spreadsheet that describes the files, instead of `paths`; null: none. */
  manifest: ManifestInput | null;
  /** An id, a slug, a path or a name; the uploads check it. null: each row of the manifest names its own. */
  collection: string | null;
  titleTemplate: string | null;
  tags: string[];
  publish: PublishChoice;
  /** Publish times one after another; null: none. */
  series: WantedSeries | null;
  isDryRun: boolean;
  duplicates: DuplicateChoice;
  sidecars: boolean;
  source: SourceChoice;
  wait: boolean;
}

const TOKENS = Object.keys(TITLE_TOKENS).map((token) => `{${token}}`);

export const uploadCommand = defineEngineCommand<UploadInput>({
  name: 'upload',
  operands: '(PATH… | --manifest FILE) --collection COLLECTION',
  summary: 'Add files and folders to the queue; with --wait, send them.',
  options: {
    collection: {
      value: 'COLLECTION',
      help: 'The collection, by ID, slug, path such as “Science / Physics”, or name.',
    },
    'title-template': {
      value: 'TEXT',
      help: `Titles, made from ${TOKENS.join(' ')} and other tags. For braces, use {{ }}.`,
    },
    tags: { value: 'A,B', help: 'Tags for all items, separated by commas.' },
    publish: {
      value: 'WHEN',
      values: ['draft', 'now'],
      help: 'draft (default), now, or a time such as 2027-03-01T09:00Z.',
    },
    ...SERIES_OPTIONS,
    duplicates: {
      value: 'CHOICE',
      values: duplicateChoiceSchema.options,
      help: 'What to do with duplicates: ask (default), skip or upload.',
    },
    'no-sidecars': { value: null, help: 'Don’t upload the captions and thumbnails of recordings.' },
    'move-to': { value: 'DIR', help: 'After uploading, move each file to this folder.' },
    trash: { value: null, help: 'After uploading, move each file to the trash. Linux only.' },
    ...MANIFEST_OPTIONS,
    wait: WAIT_OPTION,
  },
  read(values, paths) {
    const series = readSeries(values);
    const isSeries = series !== null;
    const manifest = readManifestOptions(values, (path) => resolve(path), isSeries ? SHARED_WITH_SERIES : []);
    if (manifest === null && paths.length === 0) throw new UsageError('Enter the files or folders to upload.');
    if (manifest !== null && paths.length > 0) throw new UsageError('Enter either files and folders, or --manifest.');
    const hasCollection = manifest === null || optionText(values, 'collection') !== null;
    return {
      paths,
      manifest,
      collection: hasCollection ? requiredText(values, 'collection') : null,
      titleTemplate: readTitleTemplate(optionText(values, 'title-template')),
      tags: readWords(optionText(values, 'tags')),
      series,
      isDryRun: values['dry-run'] === true,
      publish: isSeries ? { kind: 'draft' } : readPublish(optionText(values, 'publish') ?? 'draft'),
      duplicates: oneOf(values, 'duplicates', duplicateChoiceSchema.options, 'ask'),
      sidecars: values['no-sidecars'] !== true,
      source: readSource(optionText(values, 'move-to'), values.trash === true),
      wait: values.wait === true,
    };
  },
  run: upload,
  interruptedText: SENDING_INTERRUPTED,
});

/** The options for manifests that also apply to a series of files without one. */
const SHARED_WITH_SERIES = ['dry-run', 'time-zone'];

/** A day, or day and time, with or without a zone; without one it is local time. */
const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Reads `draft`, `now`, or an instant, which becomes UTC. A day alone is its start in local time. */
function readPublish(value: string): PublishChoice {
  if (value === 'draft' || value === 'now') return { kind: value };
  const local = /^\d{4}-\d{2}-\d{2}$/.test(value) ? `${value}T00:00` : value;
  const epochMs = ISO_INSTANT.test(value) ? Date.parse(local) : Number.NaN;
  if (Number.isNaN(epochMs)) {
    throw new UsageError(`Invalid value for --publish: ${value}. Use draft, now or a time such as 2027-03-01T09:00Z.`);
  }
  return { kind: 'at', at: isoOf(epochMs) };
}

function readTitleTemplate(value: string | null): string | null {
  const problem = value === null ? null : titleTemplateProblem(value);
  if (problem !== null) throw new UsageError(problem);
  return value;
}

/**
 * Adds files to the queue and, with `--wait`, sends them. The library and the keychain get no request before the files are
 * queued: the uploads themselves find the collection and check that the account may use it.
 */
async function upload(context: EngineContext, input: UploadInput): Promise<ExitCode> {
  const site = await currentSite(context);
  const { manifest, collection } = input;
  const defaults: BatchDefaults = {
    titleTemplate: input.titleTemplate ?? '{name}',
    tags: input.tags,
    publish: input.publish,
    duplicates: input.duplicates,
    sidecars: input.sidecars,
    source: input.source,
  };
  const series = input.series === null ? null : await seriesOf(context.engine, input.series);
  if (manifest !== null)
    return uploadManifest(context, site, { manifest, collection, defaults, series, wait: input.wait });
  const paths = input.paths.map((path) => resolve(path));
  const timed =
    series === null ? null : await filesInSeries(context, series, { siteId: site.id, paths, sidecars: input.sidecars });
  if (input.isDryRun) {
    context.output.note('Nothing was queued.');
    return timed?.hasFiles === true ? EXIT.complete : EXIT.incomplete;
  }
  const added = await context.engine.call('uploads.add', {
    siteId: site.id,
    collectionRef: collection ?? undefined,
    defaults,
    paths,
    ...(timed === null ? {} : { files: timed.files, addsOthers: false }),
  });
  printAdded(context, added, collection ?? '');
  const isTimed = defaults.publish.kind === 'at' || series !== null;
  return sendAdded(context, site, [added], { wait: input.wait, isTimed });
}

/** Queues the files of a manifest: one batch for each collection. */
async function uploadManifest(
  context: EngineContext,
  site: Site,
  {
    manifest,
    collection,
    defaults,
    series,
    wait,
  }: Pick<UploadInput, 'collection' | 'wait'> & {
    manifest: ManifestInput;
    defaults: BatchDefaults;
    series: Series | null;
  },
): Promise<ExitCode> {
  const { groups, code } = await checkManifest(context, manifest, { siteId: site.id, collection, defaults, series });
  if (groups.length === 0) return code;
  const queued = groups.map(({ collection: own, files }) => {
    const target = own === null ? { collectionRef: collection ?? '' } : { collectionId: own.id };
    const collectionName = own?.name ?? collection ?? '';
    const add = async () => {
      const batch = await context.engine.call('uploads.add', {
        siteId: site.id,
        ...target,
        defaults,
        paths: files.map(({ path }) => path),
        roots: [dirname(resolve(manifest.path))],
        // A file with a row of its own is an item, whatever its name is.
        files: files.map(({ path, fields, publish }) => ({
          path,
          fields,
          publish: publish ?? undefined,
          belongsTo: null,
        })),
        addsOthers: false,
      });
      printAdded(context, batch, collectionName);
      return batch;
    };
    return { collectionName, count: files.length, add };
  });
  const { added, failure } = await queueGroups(queued, context.output);
  const files = groups.flatMap((group) => group.files);
  const isTimed = files.some(({ publish }) => (publish ?? defaults.publish).kind === 'at');
  const sent = await sendAdded(context, site, added, { wait, isTimed });
  if (sent !== EXIT.complete) return sent;
  return failure === null ? code : exitCodeOf(failure);
}

/** Sends the batches with `--wait`; otherwise prints why they can't be sent yet. `isTimed`: some have a publish time. */
async function sendAdded(
  context: EngineContext,
  site: Site,
  batches: readonly AddUploadsOutput[],
  { wait, isTimed }: { wait: boolean; isTimed: boolean },
): Promise<ExitCode> {
  const filled = batches.filter(hasFiles);
  const queued = filled.flatMap(({ added, batchId, late }) => [
    ...(added > 0 ? [batchId] : []),
    ...(late?.batchIds ?? []),
  ]);
  const edits = filled.flatMap(({ late }) => late?.editIds ?? []);
  const troubled = troubledSkips(batches.flatMap(({ skipped }) => skipped.map(({ error }) => error.code)));
  if (wait && queued.length + edits.length > 0) {
    if (isTimed) await warnOfClock(context, site.id);
    const code = await sendAll(context, new Set(queued), edits);
    return code === EXIT.complete && filled.length < batches.length && troubled > 0 ? EXIT.incomplete : code;
  }
  if (edits.length > 0) context.output.note('To send the changes of items now, run “mediadesk edits retry”.');
  if (queued.length > 0) {
    const obstacle = await knownObstacle(context, site);
    if (obstacle !== null) {
      context.output.notice(afterCommand(obstacle, 'queue-left'));
      return exitCodeOf(obstacle);
    }
    if (isTimed) await warnOfClock(context, site.id);
    context.output.note(NOT_SENT_YET);
  }
  return filled.length > 0 && troubled === 0 ? EXIT.complete : EXIT.incomplete;
}

/** Sends batches and edits. Returns the first exit code other than success. */
async function sendAll(context: EngineContext, batchIds: ReadonlySet<string>, editIds: readonly string[]) {
  const codes: ExitCode[] = [];
  for (const batchId of batchIds) codes.push(await sendBatch(context, batchId));
  for (const editId of editIds) codes.push(await sendEdits(context, editId));
  return codes.find((code) => code !== EXIT.complete) ?? EXIT.complete;
}

function hasFiles({ added, late }: AddUploadsOutput): boolean {
  return added > 0 || (late?.count ?? 0) > 0;
}

/** Returns why the queued uploads can't be sent until the user acts, as far as this computer knows. */
async function knownObstacle({ engine }: EngineContext, { id }: Site): Promise<AppErrorData | null> {
  const { keychain } = await engine.call('app.info', null);
  if (keychain.problem !== null) return keychain.problem;
  const site = (await engine.call('sites.list', null)).find((each) => each.id === id);
  return site?.state === 'signed-in' ? null : appError('sign-in.required').toData();
}

function printAdded({ output }: EngineContext, added: AddUploadsOutput, collectionName: string): void {
  const { batchId, addedBytes, skipped, skippedCount, fallbackTitles, late } = added;
  output.record({ batch: { batchId, added: added.added, addedBytes, skippedCount, fallbackTitles } });
  for (const { path, error } of skipped) {
    output.record({ skipped: { path, error } });
    output.warning(`Skipped: ${path}: ${error.message}`);
  }
  if (skippedCount > skipped.length) output.note(`… and ${skippedCount - skipped.length} more skipped.`);
  if (fallbackTitles > 0) output.note(fallbackText(fallbackTitles));
  if (late !== undefined) printLate(output, late);
  if (late !== undefined && added.added === 0) return;
  output.line(
    `Queued ${countedFiles(added.added)} (${formatBytes(addedBytes)}) for “${collectionName}” as batch ${batchId}.`,
  );
}

/** Prints which captions and thumbnails are added to items of earlier uploads, and how to decide otherwise. */
function printLate(output: EngineContext['output'], { count, bytes, described, files, batchIds }: AddedLate): void {
  for (const late of files) {
    output.record({ late });
    output.note(lateText(late));
  }
  if (count > files.length) output.note(`… and ${count - files.length} more for items of earlier uploads.`);
  output.note('To upload captions, thumbnails and details as items of their own, use --no-sidecars.');
  if (described > 0)
    output.line(
      `Described items of earlier uploads with ${countedFiles(described)}. To undo this, use “mediadesk edits”.`,
    );
  if (described === count) return;
  const batches = `${batchIds.length === 1 ? 'batch' : 'batches'} ${batchIds.join(', ')}`;
  output.line(
    `Queued ${countedFiles(count - described)} (${formatBytes(bytes)}) for items of earlier uploads as ${batches}.`,
  );
}

const LATE_KINDS = { captions: 'Captions', thumbnail: 'Thumbnail', details: 'Details' };

function lateText({ path, kind, upload, fields = [] }: AddedLate['files'][number]): string {
  const { fileName, title, collectionName, uploadedAt, movedTo } = upload;
  const when = uploadedAt === null ? 'in the queue' : `uploaded on ${localTime(uploadedAt)}`;
  const does = kind === 'details' ? `changes ${fields.join(', ')} of` : 'is added to';
  const item = `“${title}” in “${movedTo ?? collectionName}” (${when})`;
  return `${LATE_KINDS[kind]} of ${fileName}: ${path} ${does} ${item}.`;
}

function fallbackText(count: number): string {
  const subject = count === 1 ? '1 title is the file name' : `${count} titles are file names`;
  const reason = count === 1 ? 'its file has' : 'their files have';
  return `${subject}, because ${reason} no value for a token of the title template. “mediadesk queue list --json” names the tokens.`;
}
