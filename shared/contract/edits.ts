import { z } from 'zod';
import { ITEM_FIELD, ITEM_FIELDS, recordOf, TEXT_FIELDS } from '../item/fields.ts';
import { COLLECTION_EDIT_FIELDS } from '../model/edits/collection-ops.ts';
import { EDIT_FIELDS } from '../model/edits/edit-ops.ts';
import { compileRecipe } from '../model/recipes/recipe.ts';
import { SERIES_ORDERS } from '../model/series/series-limits.ts';
import { appErrorSchema } from './app-error.ts';
import { mediaQuerySchema } from './library.ts';
import { seriesNoteSchema, seriesSchema } from './series.ts';
import { tagNamesSchema } from './tag-names.ts';

/** The most items of one edit. */
export const MOST_EDITED_ITEMS = 100_000;

const LONGEST_TEXT = Math.max(...TEXT_FIELDS.map((field) => ITEM_FIELD[field].most));

/** A change of a text field. `replace` changes every occurrence. */
const textChangeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('set'), value: z.string().max(LONGEST_TEXT) }),
  z.object({ kind: z.literal('clear') }),
  z.object({ kind: z.literal('prefix'), text: z.string().min(1).max(1000) }),
  z.object({ kind: z.literal('suffix'), text: z.string().min(1).max(1000) }),
  z.object({
    kind: z.literal('replace'),
    find: z.string().min(1).max(1000),
    replaceWith: z.string().max(1000),
    matchCase: z.boolean().default(false),
  }),
]);
export type TextChange = z.output<typeof textChangeSchema>;

/** An instant with its time zone, such as `2031-05-06T07:08:09Z`. */
const instant = z.iso.datetime({ offset: true });

/**
 * Reads values from one text of each item by a pattern, and builds fields from them by templates, see `shared/model/recipes`. A
 * field whose template lacks a value is not changed.
 */
const recipeChangeSchema = z
  .object({
    from: z.enum(TEXT_FIELDS).default('title'),
    pattern: z.string().max(500),
    fields: z.partialRecord(z.enum(ITEM_FIELDS), z.string().max(2000)),
    hasUnderscores: z.boolean().default(false),
  })
  .superRefine((recipe, context) => {
    const compiled = compileRecipe(recipe);
    if (!('problems' in compiled)) return;
    for (const { place, problem } of compiled.problems) {
      context.addIssue({ code: 'custom', message: problem, path: place === 'pattern' ? [place] : ['fields', place] });
    }
  });
export type RecipeChange = z.output<typeof recipeChangeSchema>;

/** The change of each item of a selection. Missing fields are not changed. */
export const bulkChangeSchema = z.object({
  /** Of a field of HTML as HTML. */
  ...recordOf(TEXT_FIELDS, () => textChangeSchema.optional()),
  tags: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('change'), add: tagNamesSchema, remove: tagNamesSchema }),
      z.object({ kind: z.literal('replace'), tags: tagNamesSchema }),
    ])
    .optional(),
  /** Applied before the changes of single fields, which replace its results. */
  recipe: recipeChangeSchema.optional(),
  collectionId: z.string().optional(),
  publication: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('now') }),
      z.object({ kind: z.literal('at'), at: instant }),
      /** One item after another; `order` missing: in the order of the selection. In a stored edit, `skipped` is empty. */
      z.object({ kind: z.literal('series'), series: seriesSchema, order: z.enum(SERIES_ORDERS).optional() }),
      z.object({ kind: z.literal('unpublish') }),
    ])
    .optional(),
  /** Deletes files of the item with their encodings, and adds content of another website. Can't be undone. */
  files: z
    .object({
      delete: z.array(z.object({ id: z.string(), name: z.string() })).max(1000),
      embed: z.object({ url: z.url({ protocol: /^https?$/ }).max(2000), name: z.string().min(1).max(500) }).nullable(),
    })
    .optional(),
  /** Deletes the items; all other fields are ignored. Can't be undone. */
  delete: z.literal(true).optional(),
});
export type BulkChange = z.output<typeof bulkChangeSchema>;

/** The change of one item. A series is a time for each of its items. */
export type ItemChange = Omit<BulkChange, 'publication'> & {
  publication?: Exclude<BulkChange['publication'], { kind: 'series' }>;
};

/** The kinds of changes of collections. */
export const COLLECTION_CHANGES = ['create', 'edit', 'podcast', 'move', 'delete'] as const;
export const groupChangeSchema = z.union([z.object({ collection: z.enum(COLLECTION_CHANGES) }), bulkChangeSchema]);
export type GroupChange = z.output<typeof groupChangeSchema>;

/** Every field that an edit of an item or of a collection can change. */
export const ALL_EDIT_FIELDS = [...EDIT_FIELDS, ...COLLECTION_EDIT_FIELDS] as const;

/** Items by their ids, or all items of a query except some. */
export const editSelectionSchema = z.union([
  z.object({ siteId: z.string(), ids: z.array(z.string()).max(MOST_EDITED_ITEMS) }),
  z.object({
    siteId: z.string(),
    query: mediaQuerySchema,
    except: z.array(z.string()).max(MOST_EDITED_ITEMS).default([]),
  }),
]);
export type EditSelection = z.output<typeof editSelectionSchema>;

/**
 * A text, tags, a switch, how an item is published (`publishOn` is ISO-8601 UTC), or the counts of a deletion. null: no value,
 * or, in a deletion, the whole item or collection.
 */
const fieldValueSchema = z.union([
  z.string(),
  z.boolean(),
  z.array(z.string()),
  z.object({ status: z.string(), publishOn: z.string().nullable() }),
  z.object({ collections: z.number(), items: z.number() }),
  z.null(),
]);
export type EditValue = z.output<typeof fieldValueSchema>;

/**
 * One changed field: `item` is the deletion of the item or the collection, `created` is a new collection.
 * Values of `collection` and `parent` are ids.
 */
const fieldChangeSchema = z.object({
  field: z.enum(ALL_EDIT_FIELDS),
  before: fieldValueSchema,
  after: fieldValueSchema,
});
export type EditFieldChange = z.output<typeof fieldChangeSchema>;

const currentValueSchema = z.object({ value: z.string().nullable(), isMixed: z.boolean() });

/** The effect of a change; nothing is changed or sent. */
export const editPlanSchema = z.object({
  /** Passed to `edits.apply` to apply exactly the reviewed changes. Valid for ten minutes after its last use. */
  planId: z.string(),
  /** Items of the selection. */
  items: z.number(),
  /** Items that would be changed; `rows` pages through these and the items with a problem. */
  changed: z.number(),
  /** Items that already have the wanted values. */
  unchanged: z.number(),
  /** Items that can't be changed in this way; `rows` lists them first, and `edits.apply` omits them. */
  problems: z.number(),
  /** Items of the selection that the library no longer has, or doesn't show to this account. */
  missing: z.number(),
  /** The number of items that would change, by field. */
  byField: z.partialRecord(z.enum(EDIT_FIELDS), z.number()),
  /** The present values of the selection, for a form; `isMixed`: the items have different values. Empty for a deletion. */
  current: z.object({
    ...recordOf(TEXT_FIELDS, () => currentValueSchema),
    collectionId: currentValueSchema,
    status: currentValueSchema,
    publishOn: currentValueSchema,
    /** The most frequent first; at most 500. */
    tags: z.array(z.object({ tag: z.string(), items: z.number() })),
  }),
  total: z.number(),
  offset: z.number(),
  rows: z.array(
    z.object({
      entityId: z.string(),
      /** The present title. */
      name: z.string(),
      changes: z.array(fieldChangeSchema),
      problem: appErrorSchema.nullable(),
      /** What is special about its time in a series; missing when there is nothing. */
      notes: z.array(seriesNoteSchema).optional(),
    }),
  ),
});
export type EditPlan = z.output<typeof editPlanSchema>;

/**
 * - `pending`  not sent yet
 * - `held`     needs a decision before it can be sent, see `error`
 * - `conflict` someone else changed the value: see `edits.resolve`
 * - `refused`  the library refused it: see `error`; can be retried or dropped
 * - `done`     the library has the value
 * - `left`     part of an undo that was not applied, because someone changed the value since
 * - `dropped`  dropped or undone before it was sent; kept in the history
 */
export const EDIT_STATES = ['pending', 'held', 'conflict', 'refused', 'done', 'left', 'dropped'] as const;
export type EditState = (typeof EDIT_STATES)[number];

const countsSchema = z.record(z.enum(EDIT_STATES), z.number());
export type EditCounts = z.output<typeof countsSchema>;

/** One action of the user: an edit of one item or of thousands. Undo works on a whole group. Times are epoch ms. */
export const editGroupSchema = z.object({
  id: z.string(),
  siteId: z.string(),
  /** The text that the caller gave, such as “Add tags”; may be empty. */
  label: z.string(),
  /** The wanted change; null for an undo, and for an import, in which each item has changes of its own. */
  change: groupChangeSchema.nullable(),
  /** What the group changes: the fields of its first items or collections. */
  fields: z.array(z.enum(ALL_EDIT_FIELDS)),
  /** Items of the group, or collections. */
  items: z.number(),
  /** The title of the first item, or the name of the first collection. */
  firstName: z.string(),
  /** Items by state; every state is present. */
  counts: countsSchema,
  createdAt: z.number(),
  /** When the last item was done, left or dropped; null while some are open. */
  endedAt: z.number().nullable(),
  /** The group that this group undoes, and the group that undid this one. */
  undoes: z.string().nullable(),
  undoneBy: z.string().nullable(),
  undoneAt: z.number().nullable(),
  /** The group that applied this group again after an undo. */
  redoneBy: z.string().nullable(),
  canUndo: z.boolean(),
  /** Whether the edit was undone and can be applied again: `edits.redo`. */
  canRedo: z.boolean(),
  /** Why pending items of the group wait: no connection, maintenance, a missing sign-in; null when they are being sent. */
  waitsFor: appErrorSchema.nullable(),
});
export type EditGroup = z.output<typeof editGroupSchema>;

/** One item of a group. */
export const editRowSchema = z.object({
  id: z.string(),
  groupId: z.string(),
  siteId: z.string(),
  entityKind: z.enum(['media', 'collection']),
  /** A collection that is not in the library yet has a local id. */
  entityId: z.string(),
  /** The title at the time of the edit. */
  name: z.string(),
  state: z.enum(EDIT_STATES),
  /** `before`: the value that the user saw. */
  changes: z.array(
    fieldChangeSchema.extend({
      /** The value of someone else, in a conflict or when an undo did not replace it; otherwise null. */
      theirs: fieldValueSchema,
      /** Whether this field needs a decision: `edits.resolve`. */
      needsDecision: z.boolean(),
      /** Values that earlier decisions about this field replaced, the oldest first; missing when there are none. */
      lost: z.array(fieldValueSchema).optional(),
      /**
       * For the deletion of an item that needs a decision: the changes of other users since the user deleted it. `before` null: a
       * description that was too long to be kept.
       */
      since: z.array(fieldChangeSchema).optional(),
    }),
  ),
  /** Why it is held, refused or in conflict, or why the last attempt failed. */
  error: appErrorSchema.nullable(),
  attempts: z.number(),
  /** Epoch ms of the next attempt; null when none is planned for a certain time. */
  nextAt: z.number().nullable(),
  createdAt: z.number(),
  endedAt: z.number().nullable(),
  /** For an item or collection that can be restored as new: the collection that contained it. Absent: unknown. */
  placeId: z.string().optional(),
});
export type EditRow = z.output<typeof editRowSchema>;

/** `open`: every state except done, left and dropped; `attention`: held, conflict and refused. */
export const EDIT_FILTERS = ['all', 'open', 'attention', ...EDIT_STATES] as const;
export type EditFilter = (typeof EDIT_FILTERS)[number];

/** Rows by their ids, those of a group, or all of them, in the states of the filter. */
export const editRowsRefSchema = z.union([
  z.object({ ids: z.array(z.string()).max(MOST_EDITED_ITEMS) }),
  z.object({ groupId: z.string().nullable(), filter: z.enum(EDIT_FILTERS) }),
]);
export type EditRowsRef = z.output<typeof editRowsRefSchema>;

/**
 * - `mine`   sends the own value although someone else changed it; a later change asks again
 * - `theirs` keeps the library's value; the own value stays in the history
 * - `value`  sends another text
 * - `now`, `at` publish at once or at another time, when the publish time has passed
 */
export const editChoiceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('mine') }),
  z.object({ kind: z.literal('theirs') }),
  z.object({ kind: z.literal('value'), value: z.string().max(200_000) }),
  z.object({ kind: z.literal('now') }),
  z.object({ kind: z.literal('at'), at: instant }),
]);
export type EditChoice = z.output<typeof editChoiceSchema>;

/** The number of edits in each open state, in all groups: for badges and a banner. */
export const editTotalsSchema = z.object({
  pending: z.number(),
  held: z.number(),
  conflict: z.number(),
  refused: z.number(),
});
export type EditTotals = z.output<typeof editTotalsSchema>;

/** The result of an undo. */
export const undoResultSchema = z.object({
  /** The group that restores sent values; null when nothing had been sent. */
  group: editGroupSchema.nullable(),
  /** Items whose edits had not been sent: they were dropped. */
  dropped: z.number(),
  /** Items that will be restored. */
  restoring: z.number(),
  /** Items that can't be restored, because they were deleted. */
  notUndoable: z.number(),
});

/** The result of a redo. */
export const redoResultSchema = z.object({
  /** The group that applies the edits again; null when nothing is left to do. */
  group: editGroupSchema.nullable(),
  /** Items and collections that are edited again. */
  redoing: z.number(),
});

/** Sent at most ten times a second. */
export const editsChangeSchema = z.object({
  /** The changed groups, the newest first; at most 20. */
  groups: z.array(editGroupSchema),
  totals: editTotalsSchema,
  /** Edits in the history that the library has, as in `edits.groups`. */
  sent: z.number(),
  /** The changed items and collections; null when more than 500 changed. */
  entities: z
    .array(z.object({ siteId: z.string(), entityKind: z.enum(['media', 'collection']), entityId: z.string() }))
    .nullable(),
});
export type EditsChange = z.output<typeof editsChangeSchema>;
