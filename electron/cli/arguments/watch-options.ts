import { readFileSync } from 'node:fs';
import { duplicateChoiceSchema } from '../../../shared/contract/upload-choices.ts';
import { type WatchRules, watchRulesSchema } from '../../../shared/contract/watch-rules.ts';
import { PRIORITIES } from '../../../shared/model/uploads/priorities.ts';
import { type OptionSpec, type OptionValues, oneOf, optionText } from './options.ts';
import { readSource, readWords, requirePossible } from './upload-options.ts';
import { UsageError } from './usage-error.ts';

/** The options for the files of a watched folder. */
export const WATCH_OPTIONS: Record<string, OptionSpec> = {
  collection: {
    value: 'COLLECTION',
    help: 'The target collection: an ID, a slug, a path such as “Science / Physics”, or a name.',
  },
  'by-folder': {
    value: 'LEVELS',
    values: ['first', 'every'],
    help: 'A collection for each sub-folder below the target: first (level only) or every (level).',
  },
  'create-collections': { value: null, help: 'With --by-folder: create missing collections.' },
  include: { value: 'GLOBS', help: 'Only these files, such as “*.mp4,*.wav”, separated by commas.' },
  exclude: { value: 'GLOBS', help: 'Not these files.' },
  'min-size': { value: 'BYTES', help: 'Skip files that are smaller, such as 500kB.' },
  'min-age': { value: 'TIME', help: 'Wait for so long after the last change, such as 90s, 10m or 2h.' },
  'title-template': {
    value: 'TEXT',
    help: 'Titles, as for upload, also {recorded} and {tag.artist}; and {clean}, {day}, {top} and {folders}.',
  },
  tags: { value: 'A,B', help: 'Tags of every item, separated by commas.' },
  publish: {
    value: 'WHEN',
    values: ['draft', 'now'],
    help: 'draft (default), now, or a time after the file was found, such as 2h.',
  },
  priority: { value: 'PRIORITY', values: PRIORITIES, help: 'high, normal (default) or low.' },
  duplicates: {
    value: 'CHOICE',
    values: duplicateChoiceSchema.options,
    help: 'Contents that the collection already has: skip (default), ask or upload.',
  },
  'no-sidecars': { value: null, help: 'Don’t include captions and thumbnails next to a recording.' },
  details: {
    value: 'on|off',
    values: ['on', 'off'],
    help: 'Take titles and other fields from a JSON, XML or text file beside each recording. Default: on.',
  },
  manifest: {
    value: 'on|off',
    values: ['on', 'off'],
    help: 'Take titles and other fields from manifest.csv or manifest.xlsx in the folder. Default: off.',
  },
  'move-to': { value: 'DIR', help: 'Move each file there once it is in the library.' },
  trash: { value: null, help: 'Move each file to the trash once it is in the library. Linux only.' },
  rules: {
    value: 'FILE',
    help: 'Rules as JSON, as “watch list --json” prints them; in place of all other options but --sweep.',
  },
};

type Settings = WatchRules['defaults']['settings'];

/**
 * Returns the rules that options describe. `before`: the rules of a folder that is edited, for settings without an option. Throws
 * `UsageError`.
 */
export function readWatchRules(values: OptionValues, siteId: string | null, before: WatchRules | null): WatchRules {
  const file = optionText(values, 'rules');
  if (file !== null) return readRulesFile(file, siteId);
  const usual = before?.defaults ?? null;
  const given = {
    ...(before ?? {}),
    ...(values['only-new'] === true ? { existingFiles: 'skip' } : {}),
    defaults: {
      conditions: { ...usual?.conditions, ...conditionsOf(values) },
      settings: { ...usual?.settings, ...settingsOf(values, usual?.settings ?? null, siteId) },
    },
  };
  return parsed(given);
}

function conditionsOf(values: OptionValues): Partial<WatchRules['defaults']['conditions']> {
  const globs = (name: string) =>
    optionText(values, name) === null ? {} : { [name]: readWords(optionText(values, name)) };
  const minSize = optionText(values, 'min-size');
  const minAge = optionText(values, 'min-age');
  return {
    ...globs('include'),
    ...globs('exclude'),
    ...(minSize === null ? {} : { minSizeBytes: readBytes('min-size', minSize) }),
    ...(minAge === null ? {} : { minAgeMs: readSpan('min-age', minAge) }),
  };
}

function settingsOf(values: OptionValues, before: Settings | null, siteId: string | null): Partial<Settings> {
  const title = optionText(values, 'title-template');
  const publish = optionText(values, 'publish');
  const isSourceGiven = optionText(values, 'move-to') !== null || values.trash === true;
  return {
    ...(siteId === null ? {} : { siteId }),
    ...collectionOf(values, before),
    ...(title === null ? {} : { titleTemplate: title }),
    ...(optionText(values, 'tags') === null ? {} : { tags: readWords(optionText(values, 'tags')) }),
    ...(publish === null ? {} : { publish: readPublish(publish) }),
    ...(values.priority === undefined ? {} : { priority: oneOf(values, 'priority', PRIORITIES, 'normal') }),
    ...(values.duplicates === undefined
      ? {}
      : { duplicates: oneOf(values, 'duplicates', duplicateChoiceSchema.options, 'skip') }),
    ...(values['no-sidecars'] === true ? { sidecars: false } : {}),
    ...(values.details === undefined ? {} : { details: oneOf(values, 'details', ['on', 'off'], 'on') === 'on' }),
    ...(values.manifest === undefined ? {} : { manifest: oneOf(values, 'manifest', ['on', 'off'], 'off') === 'on' }),
    ...(isSourceGiven ? { source: readSource(optionText(values, 'move-to'), values.trash === true) } : {}),
  };
}

function collectionOf(values: OptionValues, before: Settings | null): Partial<Pick<Settings, 'collection'>> {
  const ref = optionText(values, 'collection')?.trim();
  const levels = values['by-folder'] === undefined ? null : oneOf(values, 'by-folder', ['first', 'every'], 'first');
  const create = values['create-collections'] === true;
  if (create && levels === null) throw new UsageError('Use --create-collections together with --by-folder.');
  if (ref === undefined && levels === null) {
    if (before === null) throw new UsageError('Missing option: --collection');
    return {};
  }
  const known = before?.collection.kind === 'by-folder' ? before.collection.parent : before?.collection.collection;
  const target = ref ? ({ kind: 'ref', ref } as const) : known;
  if (target === undefined) throw new UsageError('Missing option: --collection');
  return {
    collection:
      levels === null ? { kind: 'fixed', collection: target } : { kind: 'by-folder', parent: target, levels, create },
  };
}

function readPublish(value: string): Settings['publish'] {
  if (value === 'draft' || value === 'now') return { kind: value };
  return { kind: 'after', delayMs: readSpan('publish', value, 'draft, now, or a time such as 2h') };
}

const SPANS_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads `90s`, `10m`, `2h` or `1d` as milliseconds. Throws `UsageError`. */
export function readSpan(option: string, value: string, use = 'a time such as 90s, 10m or 2h'): number {
  const parts = /^(\d{1,5})([smhd])$/.exec(value);
  if (parts === null) throw new UsageError(`Invalid value for --${option}: ${value}. Use ${use}.`);
  return Number(parts[1]) * (SPANS_MS[parts[2] ?? ''] ?? 0);
}

const SIZES: Readonly<Record<string, number>> = { '': 1, B: 1, kB: 1e3, MB: 1e6, GB: 1e9 };

function readBytes(option: string, value: string): number {
  const parts = /^(\d{1,12})(B|kB|MB|GB)?$/.exec(value);
  if (parts === null)
    throw new UsageError(`Invalid value for --${option}: ${value}. Use a size such as 500kB or 20MB.`);
  return Number(parts[1]) * (SIZES[parts[2] ?? ''] ?? 1);
}

function readRulesFile(path: string, siteId: string | null): WatchRules {
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`The rules in ${path} can’t be read: ${(error as Error).message}`);
  }
  const rules = given as { defaults?: { settings?: { siteId?: unknown } } } | null;
  if (siteId !== null && rules?.defaults?.settings && rules.defaults.settings.siteId === undefined) {
    rules.defaults.settings.siteId = siteId;
  }
  const read = parsed(given);
  for (const source of sourcesOf(read)) requirePossible(source);
  return read;
}

function sourcesOf({ defaults, rules }: WatchRules): Settings['source'][] {
  const own = rules.map(({ action }) => (action.kind === 'upload' ? action.settings.source : undefined));
  return [defaults.settings.source, ...own.filter((source) => source !== undefined)];
}

function parsed(given: unknown): WatchRules {
  const result = watchRulesSchema.safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new UsageError(`The rules aren’t valid: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}
