import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { appError, toAppError } from '../../../../shared/contract/app-error.ts';
import type { Download } from '../../../../shared/contract/downloads.ts';
import type { Engine } from '../../../engine/engine.ts';
import { optionText, requiredText } from '../../arguments/options.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { currentSite } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT } from '../../output/exit-codes.ts';
import { afterCommand } from '../../output/next-step.ts';
import type { Output } from '../../output/output.ts';
import { formatBytes } from '../../output/text-format.ts';

const ENDED: ReadonlySet<Download['state']> = new Set(['complete', 'failed', 'cancelled']);

/** Downloads the original files of items. The same command again continues an interrupted download. */
export const libraryDownloadCommand = defineEngineCommand({
  name: 'library download',
  operands: 'ITEM… --to FOLDER',
  summary: 'Download the files of items. To continue an interrupted download, run it again.',
  options: {
    to: { value: 'FOLDER', help: 'The folder to save them in. It is created if it doesn’t exist.' },
    file: { value: 'FILE', help: 'Only this file of the item, such as an encoding; see “library show”.' },
  },
  interruptedText: 'Stopping. To continue, run the same command again.',
  read(values, mediaIds) {
    if (mediaIds.length === 0) throw new UsageError('Enter the IDs of the items to download.');
    const fileId = optionText(values, 'file');
    if (fileId !== null && mediaIds.length > 1) throw new UsageError('--file goes with one item only.');
    return { mediaIds: [...new Set(mediaIds)], fileId, folder: resolve(requiredText(values, 'to')) };
  },
  async run(context, { mediaIds, fileId, folder }) {
    const { engine, output, interruption } = context;
    const { id: siteId } = await currentSite(context);
    await createFolder(folder);
    let failed = 0;
    const wanted = new Set<string>();
    for (const mediaId of mediaIds) {
      if (interruption.signal.aborted) break;
      try {
        const started = await engine.call('downloads.start', { siteId, files: [{ mediaId, fileId }], folder });
        for (const { id } of started.downloads) wanted.add(id);
      } catch (error) {
        if (mediaIds.length === 1) throw error;
        failed += 1;
        output.error(afterCommand(toAppError(error).toData(), 'command-ended'));
      }
    }
    for (const download of await ended(engine, wanted, interruption.signal)) {
      if (!report(output, download)) failed += 1;
    }
    return interruption.exitCode() ?? (failed === 0 ? EXIT.complete : EXIT.incomplete);
  },
});

/** Creates a folder with those above it. Throws `download.not-saved`. */
async function createFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw appError('download.not-saved', { details: { path: folder, reason: code ?? message }, cause });
  }
}

/** Prints the result of a download. Returns whether it is complete. */
function report(output: Output, download: Download): boolean {
  const { state, path, name, doneBytes, isVerified, error } = download;
  output.record({ download });
  if (state === 'complete') {
    output.line(`Downloaded ${path ?? ''} (${formatBytes(doneBytes)}${isVerified ? ', verified' : ''}).`);
    return true;
  }
  output.note(`Not downloaded: ${name}`);
  if (error !== null) output.error(afterCommand(error, 'command-ended'));
  return false;
}

/** Resolves with the ended downloads when all have ended, or when the user interrupts them. */
async function ended(engine: Engine, wanted: ReadonlySet<string>, signal: AbortSignal): Promise<Download[]> {
  const mine = async () => (await engine.call('downloads.list', null)).filter(({ id }) => wanted.has(id));
  return new Promise((done, reject) => {
    const check = async () => {
      const downloads = await mine();
      if (!signal.aborted && !downloads.every(({ state }) => ENDED.has(state))) return;
      off();
      done(downloads.filter(({ state }) => ENDED.has(state)));
    };
    const off = engine.on('onDidChangeDownloads', () => void check().catch(reject));
    signal.addEventListener('abort', () => void check().catch(reject), { once: true });
    check().catch(reject);
  });
}
