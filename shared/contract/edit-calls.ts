import { z } from 'zod';
import {
  ALL_EDIT_FIELDS,
  bulkChangeSchema,
  EDIT_FILTERS,
  editChoiceSchema,
  editGroupSchema,
  editPlanSchema,
  editRowSchema,
  editRowsRefSchema,
  editSelectionSchema,
  editTotalsSchema,
  redoResultSchema,
  undoResultSchema,
} from './edits.ts';

const changedCount = z.object({ changed: z.number() });

/** The calls about edits of items: one item and thousands are handled alike, through the journal. */
export const EDIT_CALLS = {
  /**
   * Returns the effect of a change on a selection: counts and a page of before → after rows. Changes nothing. `planId` of an
   * earlier plan: pages through that plan, and ignores `change`. An empty change returns the present values.
   */
  'edits.plan': {
    input: z.object({
      selection: editSelectionSchema,
      change: bulkChangeSchema,
      planId: z.string().nullable().default(null),
      offset: z.number().int().min(0).default(0),
      limit: z.number().int().min(0).max(500).default(100),
    }),
    output: editPlanSchema,
  },
  /**
   * Stores the edits of a reviewed plan, or of a selection and a change, as one group, and sends them in the background. Durable
   * when it returns. `except`: ids of items to omit. Throws `edit.review-over`. `group` null: no item changes.
   */
  'edits.apply': {
    input: z.union([
      z.object({
        planId: z.string(),
        except: z.array(z.string()).default([]),
        label: z.string().max(200).default(''),
      }),
      z.object({
        selection: editSelectionSchema,
        change: bulkChangeSchema,
        label: z.string().max(200).default(''),
      }),
    ]),
    output: z.object({ group: editGroupSchema.nullable() }),
  },
  /**
   * The newest first. `siteId` null: of all libraries. `isOpen`: only groups with open items. `sent`: the number of edits that
   * are done, in all groups.
   */
  'edits.groups': {
    input: z.object({
      siteId: z.string().nullable().default(null),
      isOpen: z.boolean().default(false),
      offset: z.number().int().min(0).default(0),
      limit: z.number().int().min(1).max(200).default(50),
    }),
    output: z.object({
      total: z.number(),
      groups: z.array(editGroupSchema),
      totals: editTotalsSchema,
      sent: z.number(),
    }),
  },
  /** Throws `edit.unknown`. */
  'edits.group': { input: z.object({ groupId: z.string() }), output: editGroupSchema },
  /** Items of a group, or of all groups (null), in the order of the edits or in the opposite one. */
  'edits.groupRows': {
    input: z.object({
      groupId: z.string().nullable(),
      filter: z.enum(EDIT_FILTERS).default('all'),
      /** Only edits of this item or collection: its history. */
      entityId: z.string().nullable().default(null),
      entityKind: z.enum(['media', 'collection']).optional(),
      /** The account of `entityId`, because ids are unique within one library only. */
      siteId: z.string().optional(),
      /** Default: false. */
      isNewestFirst: z.boolean().optional(),
      offset: z.number().int().min(0).default(0),
      limit: z.number().int().min(1).max(500).default(100),
    }),
    output: z.object({ total: z.number(), rows: z.array(editRowSchema) }),
  },
  /** Sends refused edits again, and pending ones immediately. Held and conflicting ones need `edits.resolve`. */
  'edits.retry': { input: editRowsRefSchema, output: changedCount },
  /**
   * Sends a refused edit again with other texts: `values` by field. Missing fields keep their value. 0 when the edit is not
   * refused any more or has no such field. Throws `edit.unknown` and `edit.title-empty`.
   */
  'edits.revise': {
    input: z.object({
      rowId: z.string(),
      values: z.partialRecord(z.enum(ALL_EDIT_FIELDS), z.string().max(200_000)),
    }),
    output: changedCount,
  },
  /** Drops open edits: they are not sent, and stay in the history. Edits in flight are not dropped. */
  'edits.drop': { input: editRowsRefSchema, output: changedCount },
  /**
   * Creates an item or a collection that someone else deleted again, with the values of this computer's copy and the refused
   * edits applied; then drops these edits. It has no files, and an item is a draft. `collectionId`: the collection in which it is
   * created. Throws `edit.cant-restore`; `edit.item-unclear` after a lost answer, when the user has to say which of the items in
   * its details is the new one: the next call passes its id as `created`, or null for none of them; and `edit.item-unfinished`
   * when a request may still take effect.
   */
  'edits.restoreAsNew': {
    input: z.object({ rowId: z.string(), collectionId: z.string(), created: z.string().nullable().optional() }),
    /** `isPending`: a collection that is created when the library can be reached. */
    output: z.object({ id: z.string(), name: z.string(), isPending: z.boolean() }),
  },
  /**
   * Returns the edits with the same question as an edit, itself included: in the same account, about the same field of an item or
   * of a collection, and for the same reason (someone else’s value, or a publish time that passed). Empty when the edit does not
   * ask about the field any more. Throws `edit.unknown`.
   */
  'edits.sameQuestion': {
    input: z.object({ rowId: z.string(), field: z.enum(ALL_EDIT_FIELDS) }),
    output: z.object({ ids: z.array(z.string()) }),
  },
  /**
   * Decides held edits and conflicts. `field` null: all fields of the rows that need a decision. Throws `edit.title-empty`.
   */
  'edits.resolve': {
    input: z.object({
      rows: editRowsRefSchema,
      field: z.enum(ALL_EDIT_FIELDS).nullable().default(null),
      choice: editChoiceSchema,
    }),
    output: changedCount,
  },
  /**
   * Undoes a group: drops unsent edits, and restores the values before sent edits, as a new group. A value that someone changed
   * since is not changed, see the state `left`. Throws `edit.unknown` and `edit.cant-undo`.
   */
  'edits.undo': { input: z.object({ groupId: z.string() }), output: undoResultSchema },
  /**
   * Applies an undone group again, as a new group with its values. A value that someone changed since is a conflict. Throws
   * `edit.unknown` and `edit.cant-redo`.
   */
  'edits.redo': { input: z.object({ groupId: z.string() }), output: redoResultSchema },
} as const;
