import type { BulkChange, TextChange } from '../../../shared/contract/edits.ts';
import type { TextFieldKey } from '../../../shared/item/fields.ts';
import { type OptionSpec, type OptionValues, optionText } from '../arguments/options.ts';
import { readSeries, SERIES_OPTIONS, type WantedSeries } from '../arguments/series-options.ts';
import { TIME_ZONE_OPTION } from '../arguments/time-zone.ts';
import { UsageError } from '../arguments/usage-error.ts';

/** The options that set a text, and without one empty the field. */
const TEXT_OPTIONS = {
  byline: { value: 'TEXT', help: 'Set the byline; an empty text clears it.' },
  description: { value: 'HTML', help: 'Set the description; an empty text clears it.' },
} as const satisfies Record<Exclude<TextFieldKey, 'title'>, OptionSpec>;

/** The options for the changes; `readChange` reads them. */
export const CHANGE_OPTIONS = {
  title: { value: 'TEXT', help: 'Set the title.' },
  'title-prefix': { value: 'TEXT', help: 'Put a text before the title.' },
  'title-suffix': { value: 'TEXT', help: 'Put a text after the title.' },
  'title-find': { value: 'TEXT', help: 'Replace every occurrence in the title by --title-replace.' },
  'title-replace': { value: 'TEXT', help: 'The replacement. Default: nothing.' },
  ...TEXT_OPTIONS,
  'add-tag': { value: 'TAGS', help: 'Add tags, separated by commas.' },
  'remove-tag': { value: 'TAGS', help: 'Remove tags, separated by commas.' },
  'set-tags': { value: 'TAGS', help: 'Replace all tags, separated by commas.' },
  'move-to': { value: 'COLLECTION', help: 'Move to a collection: ID, slug, path or name.' },
  publish: { value: 'now|TIME', values: ['now'], help: 'Publish now, or at a time such as 2031-05-06T07:00.' },
  ...SERIES_OPTIONS,
  ...TIME_ZONE_OPTION,
  unpublish: { value: null, help: 'Make drafts of published and scheduled items.' },
  delete: { value: null, help: 'Delete the items; needs --yes. You can’t undo this.' },
} as const satisfies Record<string, OptionSpec>;

/** A change before its collection is looked up. */
export interface WantedChange {
  change: BulkChange;
  /** Publish times one after another; null: none. `change` then has no publication. */
  series: WantedSeries | null;
  /** An id, slug, path or name; null: the items are not moved. */
  moveTo: string | null;
}

/** Reads `CHANGE_OPTIONS`. Throws `UsageError`, also when no change is given. */
export function readChange(values: OptionValues): WantedChange {
  const title = titleChange(values);
  const tags = tagsChange(values);
  const series = readSeries(values);
  if (series === null && values['time-zone'] !== undefined) {
    throw new UsageError('Use --time-zone together with --every.');
  }
  const publication = publicationChange(values, series !== null);
  const moveTo = optionText(values, 'move-to');
  const change: BulkChange = {
    ...(title === null ? {} : { title }),
    ...textsOf(values),
    ...(tags === null ? {} : { tags }),
    ...(publication === null ? {} : { publication }),
    ...(values.delete === true ? { delete: true } : {}),
  };
  const isEmpty = Object.keys(change).length === 0 && moveTo === null && series === null;
  if (isEmpty) throw new UsageError('Enter what to change, such as --title or --add-tag.');
  if (change.delete && (Object.keys(change).length > 1 || moveTo !== null || series !== null)) {
    throw new UsageError('Use --delete without other changes.');
  }
  return { change, series, moveTo };
}

function titleChange(values: OptionValues): TextChange | null {
  const wanted: TextChange[] = [];
  const value = optionText(values, 'title');
  const prefix = optionText(values, 'title-prefix');
  const suffix = optionText(values, 'title-suffix');
  const find = optionText(values, 'title-find');
  const replaceWith = optionText(values, 'title-replace');
  if (value !== null) wanted.push({ kind: 'set', value });
  if (prefix) wanted.push({ kind: 'prefix', text: prefix });
  if (suffix) wanted.push({ kind: 'suffix', text: suffix });
  if (find) wanted.push({ kind: 'replace', find, replaceWith: replaceWith ?? '', matchCase: true });
  else if (replaceWith !== null) throw new UsageError('Use --title-replace together with --title-find.');
  if (wanted.length > 1) throw new UsageError('Use only one change of the title.');
  return wanted[0] ?? null;
}

function textsOf(values: OptionValues): Pick<BulkChange, TextFieldKey> {
  const given = Object.keys(TEXT_OPTIONS).flatMap((field): [string, TextChange][] => {
    const value = optionText(values, field);
    if (value === null) return [];
    return [[field, value === '' ? { kind: 'clear' } : { kind: 'set', value }]];
  });
  return Object.fromEntries(given);
}

function tagsChange(values: OptionValues): BulkChange['tags'] | null {
  const [add, remove, set] = (['add-tag', 'remove-tag', 'set-tags'] as const).map((name) => tagsOf(values, name));
  if (set) {
    if (add || remove) throw new UsageError('Use --set-tags without --add-tag and --remove-tag.');
    return { kind: 'replace', tags: set };
  }
  return add || remove ? { kind: 'change', add: add ?? [], remove: remove ?? [] } : null;
}

function tagsOf(values: OptionValues, name: string): string[] | null {
  const text = optionText(values, name);
  if (text === null) return null;
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

/** `isSeries`: the value of `--publish` is the first time of a series. */
function publicationChange(values: OptionValues, isSeries: boolean): BulkChange['publication'] | null {
  const publish = optionText(values, 'publish');
  if (values.unpublish === true) {
    if (publish !== null) throw new UsageError('Use either --publish or --unpublish.');
    return { kind: 'unpublish' };
  }
  if (publish === null || isSeries) return null;
  return publish === 'now' ? { kind: 'now' } : { kind: 'at', at: readInstant(publish, 'publish') };
}

/** Reads a day with a time, local unless it has a zone; returns it in UTC. Throws `UsageError`. */
export function readInstant(text: string, option: string): string {
  const epochMs = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(epochMs)) return new Date(epochMs).toISOString();
  throw new UsageError(`Invalid value for --${option}: ${text}. Use a time such as 2031-05-06T07:00.`);
}
