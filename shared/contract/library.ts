import { z } from 'zod';
import { mediaFileSchema } from '../api/files.ts';
import { MEDIA_SORTS, mediaItemSchema } from '../api/media.ts';
import { ITEM_FIELD, recordOf, TEXT_FIELDS } from '../item/fields.ts';
import { LOCAL_SORTS } from '../model/local-sorts.ts';
import { appErrorSchema } from './app-error.ts';
import { tagNamesSchema } from './tag-names.ts';

/** One row of the collection tree; its children are loaded when the row is opened. */
export const collectionRowSchema = z.object({
  id: z.string(),
  /** null at the top. */
  parentId: z.string().nullable(),
  displayName: z.string(),
  slug: z.string(),
  isPodcast: z.boolean(),
  /** Items of this collection alone, drafts included; null when the library does not report it. */
  mediaCount: z.number().nullable(),
  /** Items of all collections below it; null when the library does not report it. */
  mediaCountBelow: z.number().nullable(),
  childCount: z.number(),
  /** What its edits do that are not in the library yet; absent when there are none. A new collection has a local id. */
  pending: z.enum(['created', 'changed', 'deleted']).optional(),
  /** Whether its edits need a decision: someone else changed it, or the library refused them. */
  needsDecision: z.boolean().optional(),
});
export type CollectionRow = z.output<typeof collectionRowSchema>;

/** The API's sorts, and the local ones. */
export const LIST_SORTS = [...MEDIA_SORTS, ...LOCAL_SORTS] as const;
export type ListSort = (typeof LIST_SORTS)[number];

const instantSchema = z.iso.datetime({ offset: true });

/** The query of a media list. All fields except the site are optional. */
export const mediaQuerySchema = z.object({
  siteId: z.string(),
  collectionId: z.string().nullable().default(null),
  /** Lists the items of all collections below it too. */
  includesBelow: z.boolean().optional(),
  search: z.string().max(1000).default(''),
  type: z.string().nullable().default(null),
  status: z.string().nullable().default(null),
  /** One tag, in any letter case. */
  tag: z.string().max(200).optional(),
  /** Instants, ISO-8601 UTC; each compares strictly. */
  createdAfter: instantSchema.optional(),
  createdBefore: instantSchema.optional(),
  publishAfter: instantSchema.optional(),
  publishBefore: instantSchema.optional(),
  /** Items related to this one. Only the library knows them. */
  relatedTo: z.string().optional(),
  hasCaptions: z.boolean().optional(),
  hasDescription: z.boolean().optional(),
  /** Only items with a publish date, or only those without one. */
  hasPublishDate: z.boolean().optional(),
  /** Without a copy of the library on this computer, a local sort is `created_on`. */
  sort: z.enum(LIST_SORTS).default('created_on'),
  order: z.enum(['asc', 'desc']).default('desc'),
});
export type MediaQuery = z.output<typeof mediaQuerySchema>;

/** A row of the media list, with the listed values only. */
export const mediaRowSchema = z.object({
  id: z.string(),
  title: z.string(),
  type: z.string().nullable(),
  status: z.string(),
  collectionId: z.string(),
  /** null when it is unknown, such as for a collection that the user can't read. */
  collectionName: z.string().nullish(),
  byline: z.string().nullable(),
  durationSeconds: z.number().nullable(),
  createdOn: z.string().nullable(),
  /** Absent only in answers of an earlier version of the engine. */
  modifiedOn: z.string().nullish(),
  publishOn: z.string().nullable(),
  views: z.number(),
  likes: z.number(),
  comments: z.number(),
  tags: z.array(z.string()),
  /** The size of all original files together, without captions; null when the library reports none. Absent: not known yet. */
  sizeBytes: z.number().nullish(),
  /** Absent: not known yet. */
  hasCaptions: z.boolean().optional(),
  /** The item has changes that the library does not have yet; absent when it has none. */
  pending: z.enum(['edited', 'deleted']).optional(),
  /** These changes are not sent before the user acts: a conflict or a passed publish time, or the library refused them. */
  needs: z.enum(['decision', 'retry']).optional(),
});
export type MediaRow = z.output<typeof mediaRowSchema>;

/** The fields whose values the copy of a library knows. */
export const KNOWN_FIELDS = ['tag', 'byline'] as const;
export type KnownField = (typeof KNOWN_FIELDS)[number];

/** A value of a field and the number of items that have it. */
export const knownValueSchema = z.object({ value: z.string(), items: z.number() });
export type KnownValue = z.output<typeof knownValueSchema>;

/** Facts from the files of an item, which lists do not contain. */
export const fileFactsSchema = z.object({
  /** The size of all original files together, without captions; null when the library reports none. */
  sizeBytes: z.number().nullable(),
  hasCaptions: z.boolean(),
});
export type ItemFileFacts = z.output<typeof fileFactsSchema>;

/**
 * Consecutive items of a list with the same value in its order. `value`: a month such as `2026-03`, the first letter of titles
 * (`0`: any digit), the first tag, the name of a collection, a lower bound of `LENGTH_STEPS` or `SIZE_STEPS`, `1` or `0` for
 * captions, otherwise the value itself. null: the items have none, or it is unknown.
 */
const listGroupSchema = z.object({
  value: z.string().nullable(),
  count: z.number(),
  /** The last group has the items of all groups beyond the maximum number. Absent: false. */
  isRest: z.boolean().optional(),
});
export type ListGroup = z.output<typeof listGroupSchema>;

/** A window into an open list. `total` can change with each answer of the library; `rows` can be shorter at the end. */
export const mediaWindowSchema = z.object({
  total: z.number(),
  offset: z.number(),
  rows: z.array(mediaRowSchema),
  /** The number of items that the list may lack: it depends on their captions, which are not known yet. Absent: none. */
  captionsUnknown: z.number().optional(),
  /** The groups of the whole list in its order. Absent: they were not requested, or the order has none. */
  groups: z.array(listGroupSchema).optional(),
});
export type MediaWindow = z.output<typeof mediaWindowSchema>;

/** A media item in full, for the inspector. */
export const mediaDetailSchema = z.object({
  item: mediaItemSchema,
  files: z.array(mediaFileSchema),
  collectionName: z.string().nullable(),
  /** The page of the item in the library's own web interface, if it names one. */
  viewUrl: z.string().nullable(),
  /** The library can't be reached: the item is from this computer's copy, with the files that were read last. Absent: false. */
  isStored: z.boolean().optional(),
  /** The files of the item are not known offline: `files` is empty. Absent: false. */
  areFilesUnknown: z.boolean().optional(),
  /** The item has edits that the library does not have yet; `item` shows them. Absent: false. */
  isPending: z.boolean().optional(),
  /** Why an edit could not be sent now; it is sent later without the user, or asks in the list of edits. */
  pendingReason: appErrorSchema.nullish(),
});
export type MediaDetail = z.output<typeof mediaDetailSchema>;

/** Why the account can't do an action with an item; null: allowed, or unknown. */
export const mediaRightsSchema = z.object({
  edit: appErrorSchema.nullable(),
  publish: appErrorSchema.nullable(),
  delete: appErrorSchema.nullable(),
  /** Epoch ms until which the account can edit and delete the item if it created it; null: no such limit. */
  ownUntil: z.number().nullable(),
});
export type MediaRights = z.output<typeof mediaRightsSchema>;

/** The facts on which the rights to an item depend. `createdOn` null: unknown. */
export const itemPlaceSchema = z.object({
  collectionId: z.string(),
  createdOn: z.string().nullable(),
  status: z.string(),
});
export type ItemPlace = z.output<typeof itemPlaceSchema>;

export const mediaPatchSchema = z.object({
  ...recordOf(TEXT_FIELDS, (field) => {
    const { most, isRequired } = ITEM_FIELD[field];
    return z
      .string()
      .min(isRequired ? 1 : 0)
      .max(most)
      .optional();
  }),
  tags: tagNamesSchema.optional(),
  collection_id: z.string().optional(),
});
export type MediaPatch = z.output<typeof mediaPatchSchema>;

/** The values of an item that a screen showed. A title may be empty there. */
export const seenMediaSchema = mediaPatchSchema.extend({ title: z.string().optional() });
