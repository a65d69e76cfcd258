import { resolve } from 'node:path';
import type { PublishChoice, SourceChoice } from '../../shared/contract/upload-choices.ts';
import { duplicateChoiceSchema } from '../../shared/contract/upload-choices.ts';
import type { UploadFilter, UploadSelection } from '../../shared/contract/uploads.ts';
import { uploadFilterSchema } from '../../shared/contract/uploads.ts';
import { TITLE_TOKENS, titleTemplateProblem } from '../../shared/model/title-template.ts';
import { UsageError } from './command.ts';
import type { CommandSpec, OptionSpec, OptionValues } from './command-spec.ts';
import { itemCommands } from './item-commands.ts';
import { queueScheduleCommands, SETTINGS_COMMAND } from './schedule-commands.ts';

export const GLOBAL_OPTIONS = {
  profile: { value: 'DIR', help: 'Folder of the queue and settings; the window app’s own unless given.' },
  keychain: { value: 'KIND', help: 'Where the sign-in is kept: system (default), file, or memory (this run only).' },
  'passphrase-file': {
    value: 'FILE',
    help: 'Read the passphrase of --keychain file from a file; “-” is standard input.',
  },
  'passphrase-fd': { value: 'N', help: 'Read the passphrase of --keychain file from file descriptor N.' },
  site: { value: 'SITE', help: 'Which library, by address, host name or id; needed when there are several.' },
  account: { value: 'NAME', help: 'Whose account at that library, by name or number; needed when there are several.' },
  json: { value: null, help: 'One JSON object a line instead of text.' },
  verbose: { value: null, help: 'Say on standard error what is being done.' },
  help: { value: null, help: 'Show help; after a command, the help of that command.' },
  version: { value: null, help: 'Show the version.' },
} as const satisfies Record<string, OptionSpec>;

const SELECTION_OPTIONS = {
  batch: { value: 'ID', help: 'All uploads of this batch.' },
  failed: { value: null, help: 'All uploads that failed.' },
  all: { value: null, help: 'Every upload.' },
} as const satisfies Record<string, OptionSpec>;

const WAIT_OPTION = { value: null, help: 'Work until nothing is left to do, and show how it goes.' };

function text(values: OptionValues, name: string): string | null {
  const value = values[name];
  return typeof value === 'string' ? value : null;
}

function required(values: OptionValues, name: string, topic: string): string {
  const value = text(values, name)?.trim();
  if (!value) throw new UsageError(`--${name} is needed.`, topic);
  return value;
}

/** One of some words, or `fallback` when the option is not there. */
function oneOf<const W extends readonly string[], F extends W[number]>(
  values: OptionValues,
  name: string,
  words: W,
  fallback: F,
  topic: string,
): W[number] {
  const value = text(values, name) ?? fallback;
  if (words.includes(value)) return value;
  throw new UsageError(`--${name} takes ${words.join(', ')}; not “${value}”.`, topic);
}

function noOperands(operands: readonly string[], topic: string): void {
  if (operands.length > 0) throw new UsageError(`“${operands[0]}” is too much here.`, topic);
}

/** Day, or day and time, with or without a zone; without one it is local time. */
const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** `draft`, `now`, or an instant, which is turned into UTC. A day alone means its start, local time. */
function readPublish(value: string, topic: string): PublishChoice {
  if (value === 'draft' || value === 'now') return { kind: value };
  const local = /^\d{4}-\d{2}-\d{2}$/.test(value) ? `${value}T00:00` : value;
  const epochMs = ISO_INSTANT.test(value) ? Date.parse(local) : Number.NaN;
  if (Number.isNaN(epochMs)) {
    throw new UsageError(`--publish takes draft, now or a time such as 2027-03-01T09:00Z; not “${value}”.`, topic);
  }
  return { kind: 'at', at: `${new Date(epochMs).toISOString().slice(0, 19)}Z` };
}

/** What becomes of a file that was uploaded; it is kept unless told. */
function readSource(folder: string | null, trash: boolean): SourceChoice {
  if (folder !== null && trash) throw new UsageError('Give --move-to or --trash, not both.', 'upload');
  if (folder !== null) return { kind: 'move', folder: resolve(folder) };
  return { kind: trash ? 'trash' : 'keep' };
}

const TOKENS = Object.keys(TITLE_TOKENS).map((token) => `{${token}}`);

function readTitleTemplate(value: string | null): string | null {
  const problem = value === null ? null : titleTemplateProblem(value);
  if (problem !== null) throw new UsageError(problem, 'upload');
  return value;
}

function readTags(value: string | null): string[] {
  const tags = (value ?? '').split(',').map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag !== ''))];
}

/** Which uploads are meant; exactly one way of saying it, or `fallback` when none is used. */
function readSelection(
  values: OptionValues,
  ids: string[],
  fallback: UploadSelection | null,
  topic: string,
): UploadSelection {
  const batchId = text(values, 'batch');
  const ways: UploadSelection[] = [];
  if (ids.length > 0) ways.push({ kind: 'ids', ids });
  if (batchId !== null) ways.push({ kind: 'batch', batchId });
  if (values.failed) ways.push({ kind: 'failed' });
  if (values.all) ways.push({ kind: 'all' });
  if (ways.length > 1) throw new UsageError('Give upload ids, --batch, --failed or --all; only one of them.', topic);
  const selection = ways[0] ?? fallback;
  if (!selection) throw new UsageError('Say which uploads: ids, --batch ID, --failed or --all.', topic);
  return selection;
}

/** A retry of a batch is of what failed in it: what somebody cancelled stays cancelled. */
function retryOf(selection: UploadSelection): UploadSelection {
  return selection.kind === 'batch' ? { kind: 'failed', batchId: selection.batchId } : selection;
}

const QUEUE_RETRY: CommandSpec = {
  name: 'queue retry',
  operands: '[UPLOAD…]',
  summary: 'Queue uploads again that failed; all of them unless told which.',
  options: {
    batch: { value: 'ID', help: 'What failed in this batch.' },
    failed: SELECTION_OPTIONS.failed,
    all: { value: null, help: 'Every upload that failed, was cancelled or waits.' },
    collection: {
      value: 'COLLECTION',
      help: 'With --batch: another collection, where the library does not know the one that was named.',
    },
  },
  read(values, ids) {
    const selection = readSelection(values, ids, { kind: 'failed' }, 'queue retry');
    if (values.collection === undefined)
      return { kind: 'queue-change', action: 'retry', selection: retryOf(selection) };
    if (selection.kind !== 'batch') throw new UsageError('--collection goes with --batch ID.', 'queue retry');
    const collection = required(values, 'collection', 'queue retry');
    return { kind: 'queue-retry-in', batchId: selection.batchId, collection };
  },
};

const QUEUE_CANCEL: CommandSpec = {
  name: 'queue cancel',
  operands: '[UPLOAD…]',
  summary: 'Give up uploads. Nothing on this disk is touched.',
  options: SELECTION_OPTIONS,
  read: (values, ids) => ({
    kind: 'queue-change',
    action: 'cancel',
    selection: readSelection(values, ids, null, 'queue cancel'),
  }),
};

function duplicateChoice(choice: 'skip' | 'upload', summary: string): CommandSpec {
  const name = `duplicates ${choice}`;
  return {
    name,
    operands: '[UPLOAD…]',
    summary,
    options: { batch: SELECTION_OPTIONS.batch, all: SELECTION_OPTIONS.all },
    read: (values, ids) => ({
      kind: 'duplicates-resolve',
      choice,
      selection: readSelection(values, ids, { kind: 'all' }, name),
    }),
  };
}

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'sign-in',
    operands: '--site URL --client-id ID',
    summary: 'Sign in to a library through a browser. Prints the address to open.',
    options: {
      'client-id': { value: 'ID', help: 'The id under which Mediadesk is registered with the library.' },
      browser: { value: 'KIND', help: 'system (default) opens your browser; none only prints the address.' },
    },
    read(values, operands) {
      noOperands(operands, 'sign-in');
      return {
        kind: 'sign-in',
        baseUrl: required(values, 'site', 'sign-in'),
        clientId: required(values, 'client-id', 'sign-in'),
        browser: oneOf(values, 'browser', ['system', 'none'], 'system', 'sign-in'),
      };
    },
  },
  {
    name: 'sign-out',
    operands: '',
    summary: 'Forget the sign-in of a library. Its queue is kept.',
    options: {},
    read(_values, operands) {
      noOperands(operands, 'sign-out');
      return { kind: 'sign-out' };
    },
  },
  {
    name: 'sites',
    operands: '',
    summary: 'List the libraries of this profile.',
    options: {},
    read(_values, operands) {
      noOperands(operands, 'sites');
      return { kind: 'sites' };
    },
  },
  {
    name: 'collections',
    operands: '',
    summary: 'List the collections that you may see.',
    options: { tree: { value: null, help: 'Indent them as a tree.' } },
    read(values, operands) {
      noOperands(operands, 'collections');
      return { kind: 'collections', tree: values.tree === true };
    },
  },
  {
    name: 'upload',
    operands: 'PATH… --collection COLLECTION',
    summary: 'Add files and folders to the queue; with --wait, send them.',
    options: {
      collection: {
        value: 'COLLECTION',
        help: 'Where the items go: an id, a slug, a path such as “Science / Physics”, or a name.',
      },
      'title-template': { value: 'TEXT', help: `Titles, from ${TOKENS.join(', ')}; {{ and }} for braces.` },
      tags: { value: 'A,B', help: 'Tags of every item, separated by commas.' },
      publish: { value: 'WHEN', help: 'draft (default), now, or a time such as 2027-03-01T09:00Z.' },
      duplicates: {
        value: 'CHOICE',
        help: 'What the collection has already: ask (default) leaves it to you, skip, or upload.',
      },
      'no-sidecars': { value: null, help: 'Leave captions and thumbnails beside a recording where they are.' },
      'move-to': { value: 'DIR', help: 'Move each file there once the library has it, complete and equal.' },
      trash: { value: null, help: 'Put each file into the trash once the library has it, complete and equal.' },
      wait: WAIT_OPTION,
    },
    read(values, paths) {
      if (paths.length === 0) throw new UsageError('Name the files or folders to upload.', 'upload');
      return {
        kind: 'upload',
        paths,
        collection: required(values, 'collection', 'upload'),
        titleTemplate: readTitleTemplate(text(values, 'title-template')),
        tags: readTags(text(values, 'tags')),
        publish: readPublish(text(values, 'publish') ?? 'draft', 'upload'),
        duplicates: oneOf(values, 'duplicates', duplicateChoiceSchema.options, 'ask', 'upload'),
        sidecars: values['no-sidecars'] !== true,
        source: readSource(text(values, 'move-to'), values.trash === true),
        wait: values.wait === true,
      };
    },
  },
  {
    name: 'queue list',
    operands: '',
    summary: 'List uploads.',
    options: {
      filter: { value: 'KIND', help: 'all (default), active, waiting, failed or complete.' },
      batch: { value: 'ID', help: 'Only uploads of this batch.' },
    },
    read(values, operands) {
      noOperands(operands, 'queue list');
      const filters = uploadFilterSchema.options satisfies readonly UploadFilter[];
      return {
        kind: 'queue-list',
        filter: oneOf(values, 'filter', filters, 'all', 'queue list'),
        batchId: text(values, 'batch'),
      };
    },
  },
  ...queueScheduleCommands(SELECTION_OPTIONS, readSelection),
  {
    name: 'queue resume',
    operands: '[UPLOAD…]',
    summary: 'Let uploads go on; all unless told which. With --wait, send them.',
    options: { ...SELECTION_OPTIONS, wait: WAIT_OPTION },
    read: (values, ids) => ({
      kind: 'queue-resume',
      selection: readSelection(values, ids, { kind: 'all' }, 'queue resume'),
      wait: values.wait === true,
    }),
  },
  {
    name: 'duplicates list',
    operands: '',
    summary: 'List uploads whose contents their collection has already and that wait for your word.',
    options: { batch: SELECTION_OPTIONS.batch },
    read(values, operands) {
      noOperands(operands, 'duplicates list');
      return { kind: 'duplicates-list', batchId: text(values, 'batch') };
    },
  },
  duplicateChoice('skip', 'Leave duplicates out; all that ask unless told which.'),
  duplicateChoice('upload', 'Upload duplicates anyway; all that ask unless told which.'),
  ...itemCommands(SELECTION_OPTIONS.batch),
  QUEUE_RETRY,
  QUEUE_CANCEL,
  SETTINGS_COMMAND,
  {
    name: 'receipt',
    operands: '[BATCH]',
    summary: 'What became of each file of a batch; the newest unless told which.',
    options: { format: { value: 'KIND', help: 'json (default), csv, or html to print.' } },
    read(values, operands) {
      noOperands(operands.slice(1), 'receipt');
      return {
        kind: 'receipt',
        batchId: operands[0] ?? null,
        format: oneOf(values, 'format', ['json', 'csv', 'html'], 'json', 'receipt'),
      };
    },
  },
  {
    name: 'receipts search',
    operands: 'TEXT',
    summary: 'Find uploads in all receipts, by name, title, hash or id.',
    options: {},
    read(_values, words) {
      const wanted = words.join(' ').trim();
      if (wanted === '') throw new UsageError('Say what to look for.', 'receipts search');
      return { kind: 'receipts-search', text: wanted };
    },
  },
  {
    name: 'doctor',
    operands: '',
    summary: 'Check the queue, the files and the libraries, and say what is wrong. Changes nothing.',
    options: { all: { value: null, help: 'Look for every complete upload in its library, not only the latest.' } },
    read(values, operands) {
      noOperands(operands, 'doctor');
      return { kind: 'doctor', all: values.all === true };
    },
  },
];
