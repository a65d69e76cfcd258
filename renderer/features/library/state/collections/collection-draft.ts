import { MAX_COLLECTION_DESCRIPTION, MAX_COLLECTION_NAME } from '../../../../../shared/api/collection-fields.ts';
import type { Collection } from '../../../../../shared/api/collections.ts';
import type { CollectionPatch } from '../../../../../shared/contract/collections.ts';
import { createDraft, type EditsOf, exact, lineField } from '../create-draft.ts';
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

/** The edits of a collection. */
export const collectionForm = createDraft<CollectionDraft, CollectionPatch>({
  displayName: lineField('display_name'),
  slug: lineField('slug'),
  description: { ...exact<string>('description'), isSame: (one, other) => lines(one) === lines(other) },
  isPodcast: exact('is_podcast'),
  inheritMemberships: exact('inherit_memberships'),
  autotranscribe: exact('autotranscribe_enabled'),
  autotranscribeBelow: exact('autotranscribe_subcollections'),
  profileId: { ...lineField('autotranscribe_profile_id'), written: (id) => id.trim() || null },
});

export type CollectionEdits = EditsOf<CollectionDraft>;

/** Returns a text with one kind of line ends: a text field writes other line ends than a library may send. */
function lines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/** Returns the values that a collection has in the fields of a patch: for an undo, or as the expected values of a save. */
export function presentValues(collection: Collection, patch: CollectionPatch): CollectionPatch {
  const values = { ...collection, description: collection.description ?? '' };
  const fields = (Object.keys(patch) as (keyof CollectionPatch)[]).filter(
    // A library without slugs has an empty slug, which can't be written.
    (field) => patch[field] !== undefined && (field !== 'slug' || collection.slug !== ''),
  );
  return Object.fromEntries(fields.map((field) => [field, values[field]]));
}

/** The fields of the form that can have a problem, by their name in the API. */
export type CollectionProblems = Partial<Record<'display_name' | 'slug' | 'description', string>>;

/** Returns the problem of a collection's name; null when it is valid. */
export function nameProblem(name: string): string | null {
  if (name.trim() === '') return texts.collections.nameNeeded;
  return name.trim().length > MAX_COLLECTION_NAME ? texts.collections.nameTooLong : null;
}

/** Returns a message for each invalid field, without asking the library. Fields that did not change are not checked. */
export function collectionProblems(edits: CollectionEdits): CollectionProblems {
  const { display_name, slug, description } = collectionForm.patch(edits);
  const problems: CollectionProblems = {};
  const ofName = display_name === undefined ? null : nameProblem(display_name);
  if (ofName !== null) problems.display_name = ofName;
  if (slug === '') problems.slug = texts.collections.slugNeeded;
  else if (slug !== undefined && !/^[\p{L}\p{N}_-]+$/u.test(slug)) problems.slug = texts.collections.slugForm;
  if ((description ?? '').length > MAX_COLLECTION_DESCRIPTION)
    problems.description = texts.collections.descriptionTooLong;
  return problems;
}
