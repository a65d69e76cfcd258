import { describe, expect, it } from 'vitest';
import {
  type CollectionDraft,
  collectionForm,
  collectionProblems,
  draftOfCollection,
  presentValues,
} from '../../../../../../../renderer/features/library/state/collections/collection-draft.ts';
import { collectionSchema } from '../../../../../../../shared/api/collections.ts';

const plain = collectionSchema.parse({
  id: 7,
  display_name: 'Optics',
  slug: 'optics',
  description: '<p>One &amp; two</p>\r\n<p>Three<br/>four</p>',
  inherit_memberships: true,
});
const draft = draftOfCollection(plain);
const editsOf = (opened: CollectionDraft, now: CollectionDraft) => collectionForm.changed(opened, {}, now);
const patchOf = (opened: CollectionDraft, now: CollectionDraft) => collectionForm.patch(editsOf(opened, now));
const problemsOf = (opened: CollectionDraft, now: CollectionDraft) => collectionProblems(editsOf(opened, now));

describe('the form of a collection', () => {
  it('sends nothing when nothing was edited, whatever the line ends are', () => {
    expect(patchOf(draft, draft)).toEqual({});
    expect(patchOf(draft, { ...draft, description: draft.description.replace(/\r\n/g, '\n') })).toEqual({});
  });

  it('sends only the edited fields', () => {
    expect(patchOf(draft, { ...draft, displayName: ' Waves ', isPodcast: true })).toEqual({
      display_name: 'Waves',
      is_podcast: true,
    });
    expect(patchOf({ ...draft, profileId: 'p' }, { ...draft, profileId: ' ' })).toEqual({
      autotranscribe_profile_id: null,
    });
  });

  it('sends no blanks around a line that was not edited', () => {
    const odd = draftOfCollection({ ...plain, display_name: ' Optics ' });
    expect(patchOf(odd, { ...odd, isPodcast: true })).toEqual({ is_podcast: true });
  });

  it('keeps a description byte for byte until it is edited', () => {
    const description = '<h2 class="x">A</h2>\r\n<p>b</p>';
    const formatted = draftOfCollection({ ...plain, description });
    expect(formatted).toMatchObject({ description });
    expect(patchOf(formatted, { ...formatted, displayName: 'B' })).toEqual({ display_name: 'B' });
    const edited = { ...formatted, description: '<h2>C</h2>' };
    expect(patchOf(formatted, edited)).toEqual({ description: '<h2>C</h2>' });
  });

  it('shows a problem at its field, and checks no field that was not edited', () => {
    expect(problemsOf(draft, { ...draft, displayName: ' ' })).toHaveProperty('display_name');
    expect(problemsOf(draft, { ...draft, slug: 'a b' })).toHaveProperty('slug');
    expect(problemsOf(draft, { ...draft, slug: '' })).toHaveProperty('slug');
    expect(problemsOf(draft, { ...draft, slug: 'über_uns-2' })).toEqual({});
    const odd = draftOfCollection({ ...plain, slug: 'a b', display_name: '' });
    expect(problemsOf(odd, { ...odd, isPodcast: true })).toEqual({});
  });

  it('returns the values that an undo writes back', () => {
    const patch = { slug: 'x', autotranscribe_profile_id: 'p', description: 'y' };
    expect(presentValues(plain, patch)).toEqual({
      slug: 'optics',
      autotranscribe_profile_id: null,
      description: plain.description,
    });
    expect(presentValues({ ...plain, slug: '' }, patch)).not.toHaveProperty('slug');
  });
});
