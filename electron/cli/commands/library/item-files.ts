import { resolve } from 'node:path';
import { appError } from '../../../../shared/contract/app-error.ts';
import type { CaptionsFacts } from '../../../../shared/contract/file-calls.ts';
import type { AddUploadsOutput } from '../../../../shared/contract/uploads.ts';
import { CAPTIONS_ENCODINGS } from '../../../../shared/formats/captions/captions-kinds.ts';
import { ARTWORK, artworkProblems } from '../../../../shared/model/podcast-artwork.ts';
import { type OptionSpec, type OptionValues, oneOf, optionText, WAIT_OPTION } from '../../arguments/options.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { findCollection } from '../../collections/find-collection.ts';
import { currentSite, type EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand, SENDING_INTERRUPTED } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';
import { printFiles } from '../../output/file-table.ts';
import { countedFiles } from '../../output/text-format.ts';
import { NOT_SENT_YET } from '../../uploads/changed-uploads.ts';
import { sendBatch } from '../../uploads/send-batch.ts';

/** The commands about the files of one item. New files are added to the queue of uploads. */

export const filesListCommand = listCommand(
  'files list',
  'List the files of an item with their encodings.',
  () => true,
);

export const filesAddCommand = defineQueueCommand({
  name: 'files add',
  operands: 'ITEM PATH…',
  summary: 'Add files to an item; with --wait, send them.',
  read(_values, [mediaId = '', ...paths]) {
    if (paths.length === 0) throw new UsageError('Enter the ID of an item and the files to add.');
    return { mediaId, paths: paths.map((path) => resolve(path)) };
  },
  add: ({ engine }, input) => engine.call('files.add', input),
});

export const filesReplaceCommand = defineQueueCommand({
  name: 'files replace',
  operands: 'ITEM FILE PATH',
  summary: 'Add a file to an item, then delete another one.',
  read(_values, operands) {
    const [mediaId, fileId, path] = exactly(operands, 'ITEM', 'FILE', 'PATH');
    return { mediaId, fileId, path: resolve(path) };
  },
  add: ({ engine }, input) => engine.call('files.replace', input),
});

export const filesEmbedCommand = defineEngineCommand({
  name: 'files embed',
  operands: 'ITEM URL',
  summary: 'Add a video of another website to an item.',
  options: { name: { value: 'TEXT', help: 'Its name in the list of files. Default: the address.' } },
  read(values, operands) {
    const [mediaId, url] = exactly(operands, 'ITEM', 'URL');
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
      throw new UsageError('Enter a web address that begins with https:// or http://.');
    }
    return { mediaId, url, name: optionText(values, 'name') || url };
  },
  async run(context, { mediaId, url, name }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const { isPending } = await engine.call('files.embed', { siteId, mediaId, url, name, replaces: null });
    output.record({ embeddedFile: { mediaId, url, name, isPending } });
    output.line(isPending ? `“${name}” will be added later.` : `Added “${name}”.`);
    return isPending ? EXIT.incomplete : EXIT.complete;
  },
});

export const filesDeleteCommand = deleteCommand(
  'files delete',
  'Delete files of an item with their encodings; needs --yes.',
);
export const captionsDeleteCommand = deleteCommand('captions delete', 'Delete captions of an item; needs --yes.');

export const captionsListCommand = listCommand(
  'captions list',
  'List the captions of an item.',
  (type) => type === 'captions',
);

export const captionsAddCommand = defineQueueCommand({
  name: 'captions add',
  operands: 'ITEM PATH',
  summary: 'Add captions to a recording; with --wait, send them.',
  options: {
    language: { value: 'TAG', help: 'Their language, such as en or pt-BR. Default: from the name of the file.' },
    label: { value: 'TEXT', help: 'What players show. Default: from the name of the file.' },
    recording: { value: 'FILE', help: 'The video or audio file. Default: the first one of the item.' },
    replace: { value: 'FILE', help: 'Captions to delete when the new ones are complete.' },
    encoding: {
      value: 'NAME',
      values: CAPTIONS_ENCODINGS,
      help: 'Such as utf-8 or windows-1251. Default: detected, or guessed for old files.',
    },
  },
  read(values, operands) {
    const [mediaId, path] = exactly(operands, 'ITEM', 'PATH');
    const language = optionText(values, 'language');
    if (language !== null && !/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(language)) {
      throw new UsageError('Enter a language tag for --language, such as en or pt-BR.');
    }
    return {
      mediaId,
      path: resolve(path),
      language,
      label: optionText(values, 'label'),
      recording: optionText(values, 'recording'),
      replaces: optionText(values, 'replace'),
      encoding: optionText(values, 'encoding') === null ? null : oneOf(values, 'encoding', CAPTIONS_ENCODINGS, 'utf-8'),
    };
  },
  async add(context, { siteId, mediaId, path, encoding, language, label, recording, replaces }) {
    const { engine, output } = context;
    const named = await engine.call('files.checkCaptions', { path, encoding });
    if (named.isGuessed) output.note(guessText(named));
    const recordingId = recording ?? (await firstRecording(context, siteId, mediaId));
    return engine.call('files.addCaptions', {
      siteId,
      mediaId,
      path,
      encoding,
      recordingId,
      replaces,
      language: language ?? named.language,
      label: label ?? named.label,
    });
  },
});

/** Returns that an encoding was guessed, with a text by which the user can judge it. */
function guessText({ encoding, sample }: CaptionsFacts): string {
  const shown = sample === '' ? '' : ` The text then reads “${sample}”.`;
  return `The file doesn’t say its encoding. Mediadesk guesses ${encoding}.${shown} If that is wrong, use --encoding.`;
}

export const thumbnailSetCommand = defineQueueCommand({
  name: 'thumbnail set',
  operands: 'ITEM PATH',
  summary: 'Set the thumbnail of an item to a PNG or JPEG; with --wait, send it.',
  read(_values, operands) {
    const [mediaId, path] = exactly(operands, 'ITEM', 'PATH');
    return { mediaId, picture: { path: resolve(path) } };
  },
  add: ({ engine }, input) => engine.call('files.setThumbnail', input),
});

/** The thumbnail of a collection is queued like that of an item. */
export const collectionsThumbnailCommand = defineQueueCommand({
  name: 'collections thumbnail',
  operands: 'COLLECTION PATH',
  summary: 'Set the thumbnail of a collection to a PNG or JPEG; with --wait, send it.',
  read(_values, operands) {
    const [ref, path] = exactly(operands, 'COLLECTION', 'PATH');
    return { ref, picture: { path: resolve(path) } };
  },
  async add({ engine, output }, { siteId, ref, picture }) {
    const { id: collectionId, isPodcast } = await findCollection(engine, siteId, ref);
    if (isPodcast) {
      const size = await engine.call('files.checkPicture', picture);
      if (artworkProblems(size).length > 0) output.note(refusedArtwork(size));
    }
    return engine.call('files.setCollectionThumbnail', { siteId, collectionId, picture });
  },
});

function refusedArtwork({ width, height }: { width: number; height: number }): string {
  const [least, most] = [`${ARTWORK.least} × ${ARTWORK.least}`, `${ARTWORK.most} × ${ARTWORK.most}`];
  return `The picture has ${width} × ${height} pixels. Podcast directories accept squares of ${least} to ${most} pixels.`;
}

interface QueueCommandDefinition<Input> {
  name: string;
  operands: string;
  summary: string;
  /** The options in addition to `--wait`. */
  options?: Readonly<Record<string, OptionSpec>>;
  read(values: OptionValues, operands: readonly string[]): Input;
  /** Adds uploads to the queue. */
  add(context: EngineContext, input: Input & { siteId: string }): Promise<AddUploadsOutput>;
}

/** Defines a command that adds uploads for an item of the current account, prints them, and sends them with `--wait`. */
function defineQueueCommand<Input extends object>({ read, add, options, ...rest }: QueueCommandDefinition<Input>) {
  return defineEngineCommand({
    ...rest,
    options: { ...options, wait: WAIT_OPTION },
    interruptedText: SENDING_INTERRUPTED,
    read: (values, operands) => ({ input: read(values, operands), wait: values.wait === true }),
    async run(context, { input, wait }) {
      const { id: siteId } = await currentSite(context);
      return queued(context, await add(context, { ...input, siteId }), wait);
    },
  });
}

/** Defines a command that lists the files of an item with some types. */
function listCommand(name: string, summary: string, isShown: (type: string | null) => boolean) {
  return defineEngineCommand({
    name,
    summary,
    operands: 'ITEM',
    options: {},
    read: (_values, operands) => ({ mediaId: exactly(operands, 'ITEM')[0] }),
    run: (context, { mediaId }) => listFiles(context, mediaId, isShown),
  });
}

function deleteCommand(name: string, summary: string) {
  return defineEngineCommand({
    name,
    summary,
    operands: 'ITEM FILE…',
    options: { yes: { value: null, help: 'Delete them. You can’t undo this.' } },
    read(values, [mediaId = '', ...fileIds]) {
      if (fileIds.length === 0) throw new UsageError('Enter the IDs of an item and of its files to delete.');
      return { mediaId, fileIds: [...new Set(fileIds)], isConfirmed: values.yes === true };
    },
    async run(context, { mediaId, fileIds, isConfirmed }) {
      const { engine, output } = context;
      const { id: siteId } = await currentSite(context);
      const { files } = await engine.call('library.media', { siteId, mediaId });
      let pending = 0;
      for (const fileId of fileIds) {
        const known = files.flatMap((file) => [file, ...(file.encodings ?? [])]).find(({ id }) => id === fileId);
        const shown = known?.display_name || fileId;
        if (isConfirmed) {
          const { isPending } = await engine.call('files.delete', { siteId, mediaId, fileId, name: shown });
          output.record({ deletedFile: { mediaId, fileId, isPending } });
          output.line(isPending ? `${shown} will be deleted later.` : `Deleted ${shown}.`);
          if (isPending) pending += 1;
        } else output.line(wouldDelete(shown, known?.encodings?.length ?? 0));
      }
      if (!isConfirmed) output.note('Nothing was deleted. Add --yes to delete. You can’t undo this.');
      return isConfirmed && pending === 0 ? EXIT.complete : EXIT.incomplete;
    },
  });
}

function wouldDelete(name: string, encodings: number): string {
  const withEncodings = encodings === 0 ? '' : ` and its ${encodings === 1 ? 'encoding' : `${encodings} encodings`}`;
  return `Would delete ${name}${withEncodings}.`;
}

/** Returns exactly the named operands. Throws `UsageError` otherwise. */
function exactly<const Names extends readonly string[]>(operands: readonly string[], ...names: Names) {
  if (operands.length !== names.length || operands.includes('')) throw new UsageError(`Enter ${names.join(', ')}.`);
  return operands as unknown as { [Name in keyof Names]: string };
}

async function listFiles(
  context: EngineContext,
  mediaId: string,
  isShown: (type: string | null) => boolean,
): Promise<ExitCode> {
  const { engine, output } = context;
  const { id: siteId } = await currentSite(context);
  const { files } = await engine.call('library.media', { siteId, mediaId });
  const shown = files.filter(({ type }) => isShown(type));
  for (const file of shown) output.record({ file });
  printFiles(output, shown);
  if (shown.length === 0) output.note('The item has no such files.');
  return EXIT.complete;
}

async function firstRecording({ engine }: EngineContext, siteId: string, mediaId: string): Promise<string> {
  const { files } = await engine.call('library.media', { siteId, mediaId });
  const found = files.find(({ type, source }) => (type === 'video' || type === 'audio') && source === 'upload');
  if (found === undefined) throw appError('captions.no-recording');
  return found.id;
}

/** Prints the queued uploads, and sends them with `--wait`. */
async function queued(context: EngineContext, added: AddUploadsOutput, wait: boolean): Promise<ExitCode> {
  const { output } = context;
  output.record({ batch: { batchId: added.batchId, added: added.added, addedBytes: added.addedBytes } });
  for (const { path, error } of added.skipped) {
    output.record({ skipped: { path, error } });
    output.warning(`Skipped: ${path}: ${error.message}`);
  }
  if (added.added === 0) return EXIT.incomplete;
  output.line(`Queued ${countedFiles(added.added)} as batch ${added.batchId}.`);
  if (wait) return sendBatch(context, added.batchId);
  output.note(NOT_SENT_YET);
  return added.skippedCount === 0 ? EXIT.complete : EXIT.incomplete;
}
