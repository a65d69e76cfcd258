import { MAX_COLLECTION_DESCRIPTION, MAX_COLLECTION_NAME } from '../../../../../shared/api/collection-fields.ts';
import type { Collection } from '../../../../../shared/api/collections.ts';
import type { CollectionPatch } from '../../../../../shared/contract/collections.ts';
import { texts } from '../texts.ts';

/** The editable fields of a collection as its form shows them. */
export interface CollectionDraft {
  displayName: string;
  slug: string;
  /** XHTML. */
  description: string;
  isPodcast: boolean;
  inheritMemberships: boolean;
  autotranscribe: boolean;
  autotranscribeBelow: boolean;
  /** Empty: none. */
  profileId: string;
}

export function draftOfCollection(collection: Collection): CollectionDraft {
  return {
    displayName: collection.display_name,
    slug: collection.slug,
    description: collection.description ?? '',
    isPodcast: collection.is_podcast,
    inheritMemberships: collection.inherit_memberships,
    autotranscribe: collection.autotranscribe_enabled,
    autotranscribeBelow: collection.autotranscribe_subcollections,
    profileId: collection.autotranscribe_profile_id ?? '',
  };
}

/** Returns the changed fields as the API expects them; unchanged fields are not sent. */
export function collectionPatch(opened: CollectionDraft, draft: CollectionDraft): CollectionPatch {
  const patch: CollectionPatch = {};
  if (draft.displayName.trim() !== opened.displayName) patch.display_name = draft.displayName.trim();
  if (draft.slug.trim() !== opened.slug) patch.slug = draft.slug.trim();
  if (lines(draft.description) !== lines(opened.description)) patch.description = draft.description;
  if (draft.isPodcast !== opened.isPodcast) patch.is_podcast = draft.isPodcast;
  if (draft.inheritMemberships !== opened.inheritMemberships) patch.inherit_memberships = draft.inheritMemberships;
  if (draft.autotranscribe !== opened.autotranscribe) patch.autotranscribe_enabled = draft.autotranscribe;
  if (draft.autotranscribeBelow !== opened.autotranscribeBelow) {
    patch.autotranscribe_subcollections = draft.autotranscribeBelow;
  }
  if (draft.profileId.trim() !== opened.profileId) patch.autotranscribe_profile_id = draft.profileId.trim() || null;
  return patch;
}

/** Returns a text with one kind of line ends: a text field writes other line ends than a library may send. */
function lines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/** Returns the values that a collection has in the fields of a patch: for an undo, or as the expected values of a save. */
export function valuesOf(collection: Collection, patch: CollectionPatch): CollectionPatch {
  const values: CollectionPatch = {};
  if (patch.display_name !== undefined) values.display_name = collection.display_name;
  // A library without slugs has an empty slug, which can't be written.
  if (patch.slug !== undefined && collection.slug !== '') values.slug = collection.slug;
  if (patch.description !== undefined) values.description = collection.description ?? '';
  if (patch.is_podcast !== undefined) values.is_podcast = collection.is_podcast;
  if (patch.inherit_memberships !== undefined) values.inherit_memberships = collection.inherit_memberships;
  if (patch.autotranscribe_enabled !== undefined) values.autotranscribe_enabled = collection.autotranscribe_enabled;
  if (patch.autotranscribe_subcollections !== undefined) {
    values.autotranscribe_subcollections = collection.autotranscribe_subcollections;
  }
  if (patch.autotranscribe_profile_id !== undefined) {
    values.autotranscribe_profile_id = collection.autotranscribe_profile_id;
  }
  return values;
}

/** The fields of the form that can have a problem, by their name in the API. */
export type CollectionProblems = Partial<Record<'display_name' | 'slug' | 'description', string>>;

/** Returns the problem of a collection's name; null when it is valid. */
export function nameProblem(name: string): string | null {
  if (name.trim() === '') return texts.collections.nameNeeded;
  return name.trim().length > MAX_COLLECTION_NAME ? texts.collections.nameTooLong : null;
}

/** Returns a message for each invalid field, without asking the library. Fields that did not change are not checked. */
export function collectionProblems(opened: CollectionDraft, draft: CollectionDraft): CollectionProblems {
  const patch = collectionPatch(opened, draft);
  const problems: CollectionProblems = {};
  const ofName = patch.display_name === undefined ? null : nameProblem(draft.displayName);
  if (ofName !== null) problems.display_name = ofName;
  if (patch.slug === '') problems.slug = texts.collections.slugNeeded;
  else if (patch.slug !== undefined && !/^[\p{L}\p{N}_-]+$/u.test(patch.slug))
    problems.slug = texts.collections.slugForm;
  if ((patch.description ?? '').length > MAX_COLLECTION_DESCRIPTION)
    problems.description = texts.collections.descriptionTooLong;
  return problems;
}
