import { resolve } from 'node:path';
import type { OfferedManifest, WatchedFolder } from '../../../../shared/contract/watch.ts';
import type { Engine } from '../../../engine/engine.ts';
import { noOperands, type OptionSpec, type OptionValues, onlyOperand, optionText } from '../../arguments/options.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { readSpan, readWatchRules, WATCH_OPTIONS } from '../../arguments/watch-options.ts';
import { currentSite, type EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';
import { countedFiles, formatBytes, printable } from '../../output/text-format.ts';
import { findFolder } from '../../watch/find-folder.ts';
import { FOLDER_HEADER, folderCells, folderLine, incompleteLine, previewLine } from '../../watch/watch-text.ts';

const SWEEP_OPTION: OptionSpec = {
  value: 'TIME',
  help: 'How often to sweep the folder, such as 60s or 5m; auto: as needed.',
};
const ONLY_NEW: OptionSpec = { value: null, help: 'Skip the files that are already in the folder.' };

/** The number of files that are requested at a time. */
const PAGE_FILES = 500;

interface FolderInput {
  folder: string;
  values: OptionValues;
}

function readFolder(values: OptionValues, operands: string[]): FolderInput {
  return { folder: onlyOperand(operands, 'Enter the folder.'), values };
}

/** Returns the interval of sweeps in milliseconds; undefined: not given; null: Mediadesk chooses it. */
function sweepOf(values: OptionValues): number | null | undefined {
  const value = optionText(values, 'sweep');
  if (value === null) return undefined;
  return value === 'auto' ? null : readSpan('sweep', value, 'auto, or a time such as 60s or 5m');
}

export const watchAddCommand = defineEngineCommand<FolderInput>({
  name: 'watch add',
  operands: 'FOLDER --collection COLLECTION',
  summary: 'Watch a folder: “watch run” or the Mediadesk window uploads what arrives in it.',
  options: { ...WATCH_OPTIONS, 'only-new': ONLY_NEW, sweep: SWEEP_OPTION },
  read: readFolder,
  run: addFolder,
});

async function addFolder(context: EngineContext, { folder, values }: FolderInput): Promise<ExitCode> {
  const { engine, output } = context;
  const path = resolve(folder);
  const rules = readWatchRules(values, (await currentSite(context)).id, null);
  const { files, bytes, isAll, manifest } = await engine.call('watch.count', { path });
  const added = await engine.call('watch.add', { path, rules, sweepEveryMs: sweepOf(values) ?? null });
  output.record({ watch: added, existing: { files, bytes, isAll, ...(manifest === undefined ? {} : { manifest }) } });
  output.line(`Watching ${printable(added.root)} (${added.id}).`);
  const named = countedFiles(files);
  const count = `${isAll ? '' : 'more than '}${named}, ${formatBytes(bytes)}`;
  if (rules.existingFiles === 'skip') output.line(`Skipped existing files: ${count}.`);
  else if (files > 0) output.line(`Existing files, uploaded according to the rules: ${count}.`);
  if (manifest !== undefined) for (const note of manifestNotes(manifest, added)) output.note(note);
  output.note('Files are found while “mediadesk watch run” or the Mediadesk window runs.');
  return EXIT.complete;
}

/** Returns the notes about the manifests in a new watched folder. */
function manifestNotes(
  { files, isAll, rows, fitting, missing, bad, nearer }: OfferedManifest,
  { id, rules }: WatchedFolder,
): string[] {
  const usable = files.filter(({ error }) => error === null).map(({ path }) => printable(path));
  const named = `${usable.join(', ')}${isAll ? '' : ' and more'}`;
  const others = nearer === 0 ? '' : `, ${nearer} name a file with a manifest nearer to it`;
  const counts = `${fitting} of ${rows} rows fit, ${missing} name a file that isn’t here yet, ${bad} have errors${others}`;
  const found = [
    ...(usable.length === 0 ? [] : [`${named}: ${counts}.`]),
    ...files.flatMap(({ path, error }) =>
      error === null ? [] : [`${printable(path)} can’t be used as it is: ${error.message}`],
    ),
  ];
  if (rules.defaults.settings.manifest) return found;
  const unused = files.length === 1 ? 'It isn’t used. To use it' : 'They aren’t used. To use them';
  return [...found, `${unused}, run “mediadesk watch edit ${id} --manifest on”.`];
}

export const watchListCommand = defineEngineCommand<null>({
  name: 'watch list',
  operands: '',
  summary: 'List the watched folders, and the files that are incomplete.',
  options: {},
  read(_values, operands) {
    noOperands(operands);
    return null;
  },
  reads: () => true,
  async run({ engine, output }) {
    const folders = await engine.call('watch.list', null);
    for (const folder of folders) output.record({ watch: folder });
    output.table(FOLDER_HEADER, folders.map(folderCells));
    for (const folder of folders) await listIncomplete(folder, engine, output);
    if (folders.length === 0) output.note('No folder is watched. “mediadesk watch add FOLDER” adds one.');
    return EXIT.complete;
  },
});

/** Prints the files that are incomplete, or that another program has open, and how to upload them. */
async function listIncomplete(
  { id, root, counts }: WatchedFolder,
  engine: Engine,
  output: EngineContext['output'],
): Promise<void> {
  if (counts.incomplete === 0) return;
  output.line(`Incomplete in ${printable(root)}:`);
  for (let offset = 0; ; offset += PAGE_FILES) {
    const page = { folderId: id, filter: 'attention', offset, limit: PAGE_FILES } as const;
    const { rows, total } = await engine.call('watch.files', page);
    for (const file of rows) {
      output.record({ watchedFile: file });
      output.line(`  ${incompleteLine(file)}`);
    }
    if (offset + rows.length >= total || rows.length === 0) break;
  }
  output.note('To upload them anyway: “mediadesk watch upload FILE…”.');
}

export const watchEditCommand = defineEngineCommand<FolderInput>({
  name: 'watch edit',
  operands: 'FOLDER',
  summary: 'Change what happens to the files of a watched folder, or pause it.',
  options: {
    ...WATCH_OPTIONS,
    sweep: SWEEP_OPTION,
    pause: { value: null, help: 'Don’t look for files until --resume.' },
    resume: { value: null, help: 'Look for files again.' },
    'moved-to': { value: 'DIR', help: 'Confirm that the folder is here now. Nothing is uploaded twice.' },
  },
  read(values, operands) {
    if (values.pause === true && values.resume === true)
      throw new UsageError('Use either --pause or --resume, not both.');
    return readFolder(values, operands);
  },
  run: editFolder,
});

async function editFolder({ engine, output }: EngineContext, { folder, values }: FolderInput): Promise<ExitCode> {
  const before = await findFolder(engine, folder);
  const folderId = before.id;
  const movedTo = optionText(values, 'moved-to');
  const sweepEveryMs = sweepOf(values);
  const rules = readWatchRules(values, null, before.rules);
  let after = before;
  if (movedTo !== null) after = await engine.call('watch.confirmMoved', { folderId, path: resolve(movedTo) });
  if (JSON.stringify(rules) !== JSON.stringify(before.rules) || sweepEveryMs !== undefined) {
    after = await engine.call('watch.edit', {
      folderId,
      rules,
      ...(sweepEveryMs === undefined ? {} : { sweepEveryMs }),
    });
  }
  if (values.pause === true) after = await engine.call('watch.pause', { folderId });
  if (values.resume === true) after = await engine.call('watch.resume', { folderId });
  output.record({ watch: after });
  output.line(folderLine(after));
  return EXIT.complete;
}

export const watchRemoveCommand = defineEngineCommand<FolderInput>({
  name: 'watch remove',
  operands: 'FOLDER',
  summary: 'Stop watching a folder. Its files and uploads stay.',
  options: {},
  read: readFolder,
  async run({ engine, output }, { folder }) {
    const found = await findFolder(engine, folder);
    await engine.call('watch.remove', { folderId: found.id });
    output.record({ watchRemoved: found });
    output.line(`No longer watching ${printable(found.root)}.`);
    return EXIT.complete;
  },
});

export const watchPreviewCommand = defineEngineCommand<FolderInput>({
  name: 'watch preview',
  operands: 'FOLDER',
  summary: 'Show what would happen to each file in a folder, and why.',
  options: { ...WATCH_OPTIONS, 'only-new': ONLY_NEW },
  read: readFolder,
  run: previewFolder,
});

/** Previews a watched folder by its rules with the changes of the options, any other folder by the rules of the options. */
async function previewFolder(context: EngineContext, { folder, values }: FolderInput): Promise<ExitCode> {
  const { engine, output } = context;
  const byId = (await engine.call('watch.list', null)).find(({ id }) => id === folder);
  const watched = byId ?? (await engine.call('watch.at', { path: resolve(folder) }));
  const siteId = watched === null ? (await currentSite(context)).id : null;
  const rules = readWatchRules(values, siteId, watched?.rules ?? null);
  const preview = await engine.call('watch.preview', {
    path: watched?.root ?? resolve(folder),
    folderId: watched?.id ?? null,
    rules,
    limit: 5000,
  });
  for (const file of preview.files) {
    output.record({ previewed: file });
    output.line(previewLine(file));
  }
  const { upload, wait, skip } = preview.totals;
  output.record({ preview: { totals: preview.totals, isAll: preview.isAll } });
  const more = preview.isAll ? '' : ' The folder has more files.';
  output.line(
    `${upload.files} to upload (${formatBytes(upload.bytes)}), ${wait.files} to wait, ${skip.files} to skip.${more}`,
  );
  return EXIT.complete;
}
