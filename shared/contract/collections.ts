import { z } from 'zod';
import { MAX_COLLECTION_DESCRIPTION, MAX_COLLECTION_NAME } from '../api/collection-fields.ts';
import { collectionSchema } from '../api/collections.ts';
import { EXPLICIT_VALUES, mostOfPodcastField, PODCAST_FIELDS } from '../api/podcast-fields.ts';
import { podcastDetailsSchema } from '../api/podcasts.ts';
import { recordOf } from '../item/fields.ts';
import { appErrorSchema } from './app-error.ts';

/** The fields of a collection that can be edited; only the given ones are saved. A move has a separate call. */
export const collectionPatchSchema = z.object({
  display_name: z.string().min(1).max(MAX_COLLECTION_NAME).optional(),
  slug: z.string().min(1).max(255).optional(),
  /** XHTML. */
  description: z.string().max(MAX_COLLECTION_DESCRIPTION).optional(),
  is_podcast: z.boolean().optional(),
  inherit_memberships: z.boolean().optional(),
  autotranscribe_enabled: z.boolean().optional(),
  autotranscribe_subcollections: z.boolean().optional(),
  autotranscribe_profile_id: z.string().max(255).nullable().optional(),
});
export type CollectionPatch = z.output<typeof collectionPatchSchema>;

/** A collection in full, for its editor. */
export const collectionDetailSchema = z.object({
  collection: collectionSchema,
  /** The page of the collection in the library's own web interface; null when the library names no page. */
  viewUrl: z.string().nullable(),
  /** The values include edits that are not in the library yet. */
  isPending: z.boolean().optional(),
  /** Why these edits wait; null: they are being sent. */
  pendingReason: appErrorSchema.nullable().optional(),
  /** Read from the copy on this computer, because the library can’t be reached. */
  isStored: z.boolean().optional(),
  /** The copy has only the values that the collection tree contains: all others are blank. */
  isPartial: z.boolean().optional(),
  /** The group of edits that the call created, for an undo. */
  groupId: z.string().optional(),
});
export type CollectionDetail = z.output<typeof collectionDetailSchema>;

export const collectionMoveSchema = z.object({
  collectionId: z.string(),
  newParentId: z.string(),
  /** The parent that the collection must have now; otherwise it is not moved. Any parent when it is absent. */
  expectedParentId: z.string().optional(),
});
export type CollectionMove = z.output<typeof collectionMoveSchema>;

const failedCollectionSchema = z.object({ collectionId: z.string(), displayName: z.string(), error: appErrorSchema });

/** The results of a move of several collections: each was moved or failed. */
export const collectionMovesSchema = z.object({
  /** `isPending`: the move waits in the list of edits. */
  moved: z.array(
    z.object({
      collectionId: z.string(),
      displayName: z.string(),
      fromParentId: z.string(),
      isPending: z.boolean().optional(),
    }),
  ),
  failed: z.array(failedCollectionSchema),
  /** The group of edits that the call created, for an undo; null when nothing is moved. */
  groupId: z.string().nullable().optional(),
});
export type CollectionMoves = z.output<typeof collectionMovesSchema>;

/** The number of items, files and collections that a deletion removes, as far as the account sees them. */
export const collectionDeletionSchema = z.object({
  /** All collections, subcollections included. */
  collections: z.number(),
  collectionIds: z.array(z.string()),
  items: z.number(),
  /** Files of the items; null when there are too many items to count their files. */
  files: z.number().nullable(),
  podcasts: z.number(),
  /** Collections among them that the account may not delete; nothing can be deleted while there are any. */
  forbidden: z.array(z.object({ collectionId: z.string(), displayName: z.string() })),
  /** Counted from the copy on this computer, because the library can’t be reached. */
  isStored: z.boolean().optional(),
});
export type CollectionDeletion = z.output<typeof collectionDeletionSchema>;

export const collectionsDeletedSchema = z.object({
  /** Ids of the chosen collections that were deleted, each with all its contents. */
  deleted: z.array(z.string()),
  deletedItems: z.number(),
  failed: z.array(failedCollectionSchema),
  isStopped: z.boolean(),
  /** Chosen collections whose deletion waits in the list of edits; absent when there are none. */
  pending: z.array(z.string()).optional(),
});
export type CollectionsDeleted = z.output<typeof collectionsDeletedSchema>;

/** The fields of podcast details to save; null clears one. Only the given ones are saved. */
export const podcastPatchSchema = z.object({
  ...recordOf(PODCAST_FIELDS, (field) => z.string().max(mostOfPodcastField(field)).nullable().optional()),
  directory_explicit: z.enum(EXPLICIT_VALUES).nullable().optional(),
});
export type PodcastPatch = z.output<typeof podcastPatchSchema>;

/** The picture of a collection as far as the library reports it. */
const artworkSchema = z.object({ width: z.number().nullable(), height: z.number().nullable() });

/** The details of a podcast with the other values that podcast directories check. */
export const podcastSchema = z.object({
  details: podcastDetailsSchema,
  collection: collectionSchema,
  viewUrl: z.string().nullable(),
  /** `unknown`: the library does not show its thumbnails. null: there is none. */
  artwork: z.union([artworkSchema, z.literal('unknown')]).nullable(),
  /** Published audio and video items directly in the collection; null when they can't be counted. */
  publishedEpisodes: z.number().nullable(),
  /** The values include edits that are not in the library yet; `pendingReason`: why these wait. */
  isPending: z.boolean().optional(),
  pendingReason: appErrorSchema.nullable().optional(),
  /** Read from the copy on this computer, because the library can’t be reached. */
  isStored: z.boolean().optional(),
  groupId: z.string().optional(),
});
export type Podcast = z.output<typeof podcastSchema>;
