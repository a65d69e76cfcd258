import { ITEM_FIELD, ITEM_FIELDS, recordOf } from '../../item/fields.ts';

/** The fields of an item that a spreadsheet can change, and `id`, which identifies the item of a row. */
export const MANIFEST_FIELDS = ['id', ...ITEM_FIELDS, 'collection', 'status', 'publishOn'] as const;
export type ManifestField = (typeof MANIFEST_FIELDS)[number];

/** Facts about an item that an import ignores. */
export const FACT_COLUMNS = [
  'type',
  'length',
  'createdOn',
  'modifiedOn',
  'size',
  'captions',
  'views',
  'likes',
  'comments',
] as const;
export type FactColumn = (typeof FACT_COLUMNS)[number];

/** The columns that an export can have: the fields and the facts. */
export const EXPORT_COLUMNS = [...MANIFEST_FIELDS, ...FACT_COLUMNS] as const;
export type ExportColumn = (typeof EXPORT_COLUMNS)[number];

/** The columns of an export unless others are chosen. */
export const DEFAULT_EXPORT_COLUMNS: readonly ExportColumn[] = [
  ...MANIFEST_FIELDS,
  'type',
  'length',
  'createdOn',
  'modifiedOn',
];

/** The header of each column in a file. */
export const HEADERS: Readonly<Record<ExportColumn, string>> = {
  id: 'id',
  ...recordOf(ITEM_FIELDS, (field) => field),
  collection: 'collection',
  status: 'status',
  publishOn: 'publish_on',
  type: 'type',
  length: 'length',
  createdOn: 'created_on',
  modifiedOn: 'modified_on',
  size: 'size',
  captions: 'captions',
  views: 'views',
  likes: 'likes',
  comments: 'comments',
};

/** Other headers that are understood, without blanks, signs and letter case. */
const OTHER_NAMES: Readonly<Partial<Record<ManifestField, readonly string[]>>> = {
  id: ['itemid', 'mediaid', 'item'],
  ...recordOf(ITEM_FIELDS, (field) => ITEM_FIELD[field].headers),
  collection: ['collectionid', 'folder'],
  status: ['state'],
  publishOn: ['publishdate', 'publishtime', 'published', 'publishat', 'publishedon', 'date'],
};

const foldedHeader = (header: string) =>
  header
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_.:*-]+/g, '');

const BY_NAME = new Map<string, ManifestField>(
  MANIFEST_FIELDS.flatMap((field) =>
    [foldedHeader(HEADERS[field]), ...(OTHER_NAMES[field] ?? [])].map((name) => [name, field] as const),
  ),
);
const FACTS = new Set(EXPORT_COLUMNS.map((column) => foldedHeader(HEADERS[column])));

/** The header of the column that a copy with errors adds. An import ignores it. */
export const ERROR_HEADER = 'error';

/** Returns the field that a header names; null when it names none. */
export function fieldOfHeader(header: string): ManifestField | null {
  return BY_NAME.get(foldedHeader(header)) ?? null;
}

/** Returns whether a header names a column of an export, including columns that an import ignores. */
export function isKnownHeader(header: string): boolean {
  return (
    fieldOfHeader(header) !== null ||
    isFileHeader(header) ||
    FACTS.has(foldedHeader(header)) ||
    foldedHeader(header) === ERROR_HEADER
  );
}

/** Headers of a column with file names, without blanks, signs and letter case. */
const FILE_NAMES: ReadonlySet<string> = new Set(['file', 'filename', 'path', 'filepath']);

/** Whether a header names a column with file names. */
export function isFileHeader(header: string): boolean {
  return FILE_NAMES.has(foldedHeader(header));
}

/** The field of each column; null: the column is not imported. */
export type Mapping = readonly (ManifestField | null)[];

/**
 * Returns the field of each column by its header. The exact name of a field has precedence over a similar one; of two columns
 * with equal rank the first one is used. The other columns get null.
 */
export function suggestMapping(headers: readonly string[]): (ManifestField | null)[] {
  return suggestFields(headers, fieldOfHeader, (field) => HEADERS[field]);
}

/** Returns the field of each column as `suggestMapping` does, for any set of fields. `nameOf`: the exact header of a field. */
export function suggestFields<F extends string>(
  headers: readonly string[],
  fieldOf: (header: string) => F | null,
  nameOf: (field: F) => string,
): (F | null)[] {
  const fields = headers.map(fieldOf);
  const isExact = (index: number) => {
    const field = fields[index];
    return field != null && foldedHeader(headers[index] ?? '') === foldedHeader(nameOf(field));
  };
  return fields.map((field, index) => {
    if (field === null) return null;
    const rivals = fields.flatMap((other, at) => (other === field && at !== index ? [at] : []));
    if (isExact(index)) return rivals.some((at) => at < index && isExact(at)) ? null : field;
    return rivals.some((at) => isExact(at) || at < index) ? null : field;
  });
}

/** Why a mapping can't be used. `column` counts from 0. */
export type MappingProblem =
  | { kind: 'no-id' }
  | { kind: 'no-fields' }
  | { kind: 'twice'; field: ManifestField; column: number };

/** Returns the first problem of a mapping; null when it can be used. */
export function mappingProblem(mapping: Mapping): MappingProblem | null {
  for (const [column, field] of mapping.entries()) {
    if (field !== null && mapping.indexOf(field) < column) return { kind: 'twice', field, column };
  }
  if (!mapping.includes('id')) return { kind: 'no-id' };
  return mapping.some((field) => field !== null && field !== 'id') ? null : { kind: 'no-fields' };
}
