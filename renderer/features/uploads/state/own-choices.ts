import type { PublishChoice } from '../../../../shared/contract/upload-choices.ts';
import type { GridColumn } from '../../../../shared/model/grid/grid-model.ts';
import { isoOf } from '../../../../shared/model/iso-instant.ts';
import { localTimeZone } from '../../../../shared/model/local-time-zone.ts';
import { readDate, writeLocalDate } from '../../../../shared/model/manifest/dates.ts';
import type { Description, Descriptions } from './add-described.ts';
import { texts } from './texts.ts';

/** A collection that a file can be added to instead of the collection of the sheet. */
export interface OfferedCollection {
  id: string;
  /** The names of the collections from the top of the tree, separated by ` / `. */
  path: string;
}

const { columns, ownChoices } = texts;
const WORDS = { draft: ownChoices.draft, now: ownChoices.now } as const;

/**
 * Returns the columns in which a file can have a collection and a publication of its own. An empty cell: the options of the sheet
 * apply. `descriptions`: they can name collections that are not offered.
 */
export function ownChoiceColumns(collections: readonly OfferedCollection[], descriptions: Descriptions): GridColumn[] {
  const paths = collections.map(({ path }) => path);
  const known = new Set(paths);
  return [
    {
      key: 'collection',
      label: columns.collection,
      kind: 'choice',
      width: 170,
      choices: paths,
      validate: (text, path) =>
        text === '' || known.has(text) || text === descriptions.get(path)?.collection?.name
          ? null
          : ownChoices.noCollection,
    },
    { key: 'publish', label: columns.publish, kind: 'text', width: 170, validate: publishProblem },
  ];
}

/** Returns the cells of a file before the user changes them, in the order of the columns. `time`: in a series. */
export function ownChoiceCells(
  described: Description | undefined,
  collections: readonly OfferedCollection[],
  time?: { at: number },
): string[] {
  const inSeries = time === undefined ? null : { kind: 'at' as const, at: isoOf(time.at) };
  const { collection = null, publish = null } = { ...described, publish: described?.publish ?? inSeries };
  const path = collections.find(({ id }) => id === collection?.id)?.path;
  return [path ?? collection?.name ?? '', publish === null ? '' : publishCell(publish)];
}

/** Returns the id of the collection that a cell names; null: the collection of the sheet applies. */
export function collectionOfCell(text: string, collections: readonly OfferedCollection[]): string | null {
  return collections.find(({ path }) => path === text)?.id ?? null;
}

/** Returns the publication that a cell names; null: the publication of the sheet applies. */
export function publishOfCell(text: string): PublishChoice | null {
  const word = wordOf(text);
  if (word !== null) return { kind: word };
  const read = readDate(text, localTimeZone());
  return text.trim() === '' || read.kind !== 'at' ? null : { kind: 'at', at: new Date(read.at).toISOString() };
}

function publishCell(publish: PublishChoice): string {
  if (publish.kind !== 'at') return WORDS[publish.kind];
  const at = Date.parse(publish.at);
  return Number.isNaN(at) ? publish.at : writeLocalDate(at, localTimeZone());
}

function publishProblem(text: string): string | null {
  if (text.trim() === '' || wordOf(text) !== null) return null;
  const read = readDate(text, localTimeZone());
  if (read.kind === 'problem') return ownChoices.date[read.problem];
  return read.at < Date.now() ? ownChoices.passed : null;
}

function wordOf(text: string): 'draft' | 'now' | null {
  const typed = text.trim().toLowerCase();
  if (typed === WORDS.draft.toLowerCase()) return 'draft';
  return typed === WORDS.now.toLowerCase() ? 'now' : null;
}
