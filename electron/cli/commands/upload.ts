import { resolve } from 'node:path';
import { type AppErrorData, appError } from '../../../shared/contract/app-error.ts';
import type { Site } from '../../../shared/contract/sites.ts';
import {
  type DuplicateChoice,
  duplicateChoiceSchema,
  type PublishChoice,
  type SourceChoice,
} from '../../../shared/contract/upload-choices.ts';
import type { AddUploadsOutput } from '../../../shared/contract/uploads.ts';
import { TITLE_TOKENS, titleTemplateProblem } from '../../../shared/model/title-template.ts';
import { oneOf, optionText, requiredText, WAIT_OPTION } from '../arguments/options.ts';
import { readSource, readWords } from '../arguments/upload-options.ts';
import { UsageError } from '../arguments/usage-error.ts';
import { currentSite, type EngineContext } from '../command/context.ts';
import { defineEngineCommand, SENDING_INTERRUPTED } from '../command/define-engine-command.ts';
import { EXIT, type ExitCode, exitCodeOf } from '../output/exit-codes.ts';
import { afterCommand } from '../output/next-step.ts';
import { formatBytes, printable } from '../output/text-format.ts';
import { NOT_SENT_YET } from '../uploads/changed-uploads.ts';
import { sendBatch } from '../uploads/send-batch.ts';
import { troubledSkips } from '../uploads/upload-outcome.ts';

interface UploadInput {
  paths: string[];
  /** An id, a slug, a path or a name; the uploads check it. */
  collection: string;
  titleTemplate: string | null;
  tags: string[];
  publish: PublishChoice;
  duplicates: DuplicateChoice;
  sidecars: boolean;
  source: SourceChoice;
  wait: boolean;
}

const TOKENS = Object.keys(TITLE_TOKENS).map((token) => `{${token}}`);

export const uploadCommand = defineEngineCommand<UploadInput>({
  name: 'upload',
  operands: 'PATH… --collection COLLECTION',
  summary: 'Add files and folders to the queue; with --wait, send them.',
  options: {
    collection: {
      value: 'COLLECTION',
      help: 'The collection, by ID, slug, path such as “Science / Physics”, or name.',
    },
    'title-template': { value: 'TEXT', help: `Titles, made from ${TOKENS.join(' ')}. For braces, use {{ }}.` },
    tags: { value: 'A,B', help: 'Tags for all items, separated by commas.' },
    publish: { value: 'WHEN', help: 'draft (default), now, or a time such as 2027-03-01T09:00Z.' },
    duplicates: {
      value: 'CHOICE',
      help: 'What to do with duplicates: ask (default), skip or upload.',
    },
    'no-sidecars': { value: null, help: 'Don’t upload the captions and thumbnails of recordings.' },
    'move-to': { value: 'DIR', help: 'After uploading, move each file to this folder.' },
    trash: { value: null, help: 'After uploading, move each file to the trash.' },
    wait: WAIT_OPTION,
  },
  read(values, paths) {
    if (paths.length === 0) throw new UsageError('Enter the files or folders to upload.');
    return {
      paths,
      collection: requiredText(values, 'collection'),
      titleTemplate: readTitleTemplate(optionText(values, 'title-template')),
      tags: readWords(optionText(values, 'tags')),
      publish: readPublish(optionText(values, 'publish') ?? 'draft'),
      duplicates: oneOf(values, 'duplicates', duplicateChoiceSchema.options, 'ask'),
      sidecars: values['no-sidecars'] !== true,
      source: readSource(optionText(values, 'move-to'), values.trash === true),
      wait: values.wait === true,
    };
  },
  run: upload,
  interruptedText: SENDING_INTERRUPTED,
});

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
  return { kind: 'at', at: `${new Date(epochMs).toISOString().slice(0, 19)}Z` };
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
  const { engine, output } = context;
  const site = await currentSite(context);
  const added = await engine.call('uploads.add', {
    siteId: site.id,
    collectionRef: input.collection,
    paths: input.paths.map((path) => resolve(path)),
    defaults: {
      titleTemplate: input.titleTemplate ?? '{name}',
      tags: input.tags,
      publish: input.publish,
      duplicates: input.duplicates,
      sidecars: input.sidecars,
      source: input.source,
    },
  });
  printAdded(context, added, input.collection);
  if (input.wait && added.added > 0) return sendBatch(context, added.batchId);

  if (added.added > 0) {
    const obstacle = await knownObstacle(context, site);
    if (obstacle !== null) {
      output.notice(afterCommand(obstacle, 'queue-left'));
      return exitCodeOf(obstacle);
    }
    output.note(NOT_SENT_YET);
  }
  const troubled = troubledSkips(added.skipped.map(({ error }) => error.code));
  return added.added > 0 && troubled === 0 ? EXIT.complete : EXIT.incomplete;
}

/** Returns what keeps the queued uploads from being sent until the user acts, as far as this computer knows. */
async function knownObstacle({ engine }: EngineContext, { id }: Site): Promise<AppErrorData | null> {
  const { keychain } = await engine.call('app.info', null);
  if (keychain.problem !== null) return keychain.problem;
  const site = (await engine.call('sites.list', null)).find((each) => each.id === id);
  return site?.state === 'signed-in' ? null : appError('sign-in.required').toData();
}

function printAdded({ output }: EngineContext, added: AddUploadsOutput, collectionName: string): void {
  const { batchId, addedBytes, skipped, skippedCount } = added;
  output.record({ batch: { batchId, added: added.added, addedBytes, skippedCount } });
  for (const { path, error } of skipped) {
    output.record({ skipped: { path, error } });
    output.note(`Skipped: ${printable(path)}: ${error.message}`);
  }
  if (skippedCount > skipped.length) output.note(`… and ${skippedCount - skipped.length} more skipped.`);
  const files = added.added === 1 ? '1 file' : `${added.added} files`;
  output.line(
    `Queued ${files} (${formatBytes(addedBytes)}) for “${printable(collectionName)}” as batch ${printable(batchId)}.`,
  );
}
