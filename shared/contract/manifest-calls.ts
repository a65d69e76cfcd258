import { z } from 'zod';
import { recordOf, TEXT_FIELDS } from '../item/fields.ts';
import { EXPORT_COLUMNS, FACT_COLUMNS, MANIFEST_FIELDS } from '../model/manifest/fields.ts';
import { FILE_ROW_FIELDS } from '../model/manifest/file-rows.ts';
import { SEPARATORS } from '../model/table/delimited-reader.ts';
import { SEPARATOR_EVIDENCE } from '../model/table/detect-separator.ts';
import { ENCODING_EVIDENCE, ENCODINGS } from '../model/table/encodings.ts';
import { isTimeZone } from '../model/zoned-time.ts';
import { appErrorSchema } from './app-error.ts';
import { editSelectionSchema } from './edits.ts';
import { publishChoiceSchema } from './upload-choices.ts';
import { fileChoiceSchema } from './upload-files.ts';

/** The number of rows in the sample of an opened file, with which the user recognizes its columns. */
export const SAMPLE_ROWS = 5;

/** The maximum number of items that are edited as a table on the screen. */
export const MOST_TABLE_ROWS = 10_000;

const path = z.string().min(1).max(4096);
const manifestRef = z.object({ manifestId: z.string() });
const timeZone = z.string().min(1).max(64).refine(isTimeZone);
const format = z.enum(['csv', 'xlsx']);
const mapping = z.array(z.enum(MANIFEST_FIELDS).nullable()).max(256);
const fileMapping = z.array(z.enum(FILE_ROW_FIELDS).nullable()).max(256);

/** A spreadsheet that is open for an import: its detected format, and its columns. */
const openedManifestSchema = manifestRef.extend({
  fileName: z.string(),
  format,
  headers: z.array(z.string()),
  /** Without the header and empty rows. */
  rows: z.number(),
  /** The detected or chosen encoding; null for XLSX. */
  encoding: z.object({ name: z.enum(ENCODINGS), evidence: z.enum(ENCODING_EVIDENCE) }).nullable(),
  separator: z.object({ value: z.enum(SEPARATORS), evidence: z.enum(SEPARATOR_EVIDENCE) }).nullable(),
  /** The sheet of an XLSX file that is read, and the number of its sheets, charts not counted; null for CSV. */
  sheet: z.object({ name: z.string(), count: z.number() }).nullable(),
  /** The first rows; long cells are cut. */
  sample: z.array(z.array(z.string())),
  /** The field of each column as its header suggests; null: not imported. */
  mapping,
  /** The field of each column when the rows describe files. */
  fileMapping,
});
export type OpenedManifest = z.output<typeof openedManifestSchema>;

/** The result of checking all rows; nothing is changed. */
const checkedManifestSchema = z.object({
  /** Passed to `edits.plan`, which shows the changes, and to `edits.apply`, which applies those of all rows without a problem. */
  planId: z.string(),
  rows: z.number(),
  /** Rows that change something. */
  changed: z.number(),
  unchanged: z.number(),
  /** Rows with a problem; no cell of them is imported. */
  badRows: z.number(),
  /** The number of problems of these rows; one row can have several. */
  problems: z.number(),
});
export type CheckedManifest = z.output<typeof checkedManifestSchema>;

/** A cell that can't be imported, or a row (`column` null). Rows and columns count from 1, as a spreadsheet does. */
const manifestProblemSchema = z.object({
  row: z.number(),
  column: z.number().nullable(),
  header: z.string(),
  value: z.string(),
  error: appErrorSchema,
});
export type ManifestProblem = z.output<typeof manifestProblemSchema>;

/** The result of checking the rows of a spreadsheet that describes files; nothing is queued. */
const checkedFileRowsSchema = z.object({
  rows: z.number(),
  /** Rows with a problem; `files` does not contain their files. */
  badRows: z.number(),
  /** The number of problems of these rows; one row can have several. */
  problems: z.number(),
  /** The files of the other rows, in the order of the rows. */
  files: z.array(
    fileChoiceSchema.required({ fields: true }).extend({
      row: z.number(),
      /** The path from the folder of the spreadsheet. */
      name: z.string(),
      /** null: the row has no collection of its own. */
      collection: z.object({ id: z.string(), name: z.string() }).nullable(),
      publish: publishChoiceSchema.nullable(),
    }),
  ),
});
export type CheckedFileRows = z.output<typeof checkedFileRowsSchema>;

/** The values of an item as edits read them, with pending edits; see `EditableMedia`. */
const editableMediaSchema = z.object({
  id: z.string(),
  ...recordOf(TEXT_FIELDS, () => z.string()),
  tags: z.array(z.string()),
  collectionId: z.string(),
  status: z.string(),
  publishOn: z.string().nullable(),
});

/** The changed cells of an item: their texts by field. An empty text empties the field. */
const changedCellsSchema = z.object({
  id: z.string(),
  cells: z.partialRecord(z.enum(MANIFEST_FIELDS), z.string().max(262_144)),
});

/** The calls about spreadsheets: export items, and import changes of items. */
export const MANIFEST_CALLS = {
  /**
   * Reads a CSV or XLSX file. `encoding` or `separator` null: it is detected. Throws `table.…` with the place in its details,
   * and the errors of reading a file.
   */
  'manifest.open': {
    input: z.object({
      path,
      encoding: z.enum(ENCODINGS).nullable().default(null),
      separator: z.enum(SEPARATORS).nullable().default(null),
    }),
    output: openedManifestSchema,
  },
  /**
   * Checks all rows against the items of a library and plans the changes. `timeZone`: of times without an offset. Throws
   * `manifest.over`, `manifest.no-id`, `manifest.no-fields` and `manifest.column-twice`.
   */
  'manifest.check': {
    input: manifestRef.extend({ siteId: z.string(), mapping, timeZone }),
    output: checkedManifestSchema,
  },
  /**
   * Finds the files that the rows name, in the folder of the spreadsheet and below, and checks all rows. `sidecars`:
   * whether captions and thumbnails are uploaded with their recording; `hasCollection`: whether a collection is chosen for rows
   * without one. Throws `manifest.over`, `manifest.no-file` and `manifest.column-twice`.
   */
  'manifest.checkFiles': {
    input: manifestRef.extend({
      siteId: z.string(),
      mapping: fileMapping,
      timeZone,
      sidecars: z.boolean().default(true),
      hasCollection: z.boolean().default(true),
    }),
    output: checkedFileRowsSchema,
  },
  /** The problems of the last check, in the order of the rows. */
  'manifest.problems': {
    input: manifestRef.extend({
      offset: z.number().int().min(0).default(0),
      limit: z.number().int().min(1).max(500).default(100),
    }),
    output: z.object({ total: z.number(), rows: z.array(manifestProblemSchema) }),
  },
  /** Saves the opened file with one more column, `error`. Throws `manifest.not-saved`. */
  'manifest.saveErrors': { input: manifestRef.extend({ path }), output: z.object({ path }) },
  /**
   * Saves items as a spreadsheet, with pending edits. `protects`: writes an apostrophe before cells of a CSV file that a
   * spreadsheet program would execute as formulas. Throws `manifest.not-saved`.
   */
  'manifest.export': {
    input: z.object({
      selection: editSelectionSchema,
      path,
      format,
      protects: z.boolean().default(true),
      timeZone,
      /** In their order, each once. By default the fields and some facts; see `DEFAULT_EXPORT_COLUMNS`. */
      columns: z
        .array(z.enum(EXPORT_COLUMNS))
        .min(1)
        .refine((columns) => new Set(columns).size === columns.length)
        .optional(),
    }),
    output: z.object({
      path,
      items: z.number(),
      /** Items of the selection that the library no longer has. */
      missing: z.number(),
      /** Texts too long for XLSX: their cells are empty. */
      emptied: z.number(),
    }),
  },
  /**
   * Reads items for a table on the screen, in which the user edits them. `collection`: the item's cell as an export writes it.
   * `collections`: the paths from which the user chooses. Throws `manifest.table-large`.
   */
  'manifest.table': {
    input: z.object({ selection: editSelectionSchema, timeZone }),
    output: z.object({
      rows: z.array(
        z.object({
          item: editableMediaSchema,
          collection: z.string(),
          /** Cells that can't be changed, as an export writes them. */
          facts: z.record(z.enum(FACT_COLUMNS), z.string()),
        }),
      ),
      missing: z.number(),
      collections: z.array(z.string()),
    }),
  },
  /** The collections that a cell can name by their path: those whose path is unique. */
  'manifest.collections': {
    input: z.object({ siteId: z.string() }),
    output: z.object({ collections: z.array(z.object({ id: z.string(), path: z.string() })) }),
  },
  /**
   * Checks the changed cells of a table and plans the changes, as `manifest.check` does for a file. `field` null: the problem
   * concerns the whole item.
   */
  'manifest.checkTable': {
    input: z.object({ siteId: z.string(), rows: z.array(changedCellsSchema).max(MOST_TABLE_ROWS), timeZone }),
    output: z.object({
      planId: z.string(),
      changed: z.number(),
      unchanged: z.number(),
      problems: z.array(z.object({ id: z.string(), field: z.enum(MANIFEST_FIELDS).nullable(), error: appErrorSchema })),
    }),
  },
} as const;
