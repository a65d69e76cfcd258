import { describe, expect, it } from 'vitest';
import {
  collectionPatch,
  collectionProblems,
  draftOfCollection,
  valuesOf,
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

describe('the form of a collection', () => {
  it('sends nothing when nothing was edited, whatever the line ends are', () => {
    expect(collectionPatch(draft, draft)).toEqual({});
    expect(collectionPatch(draft, { ...draft, description: draft.description.replace(/\r\n/g, '\n') })).toEqual({});
  });

  it('sends only the edited fields', () => {
    expect(collectionPatch(draft, { ...draft, displayName: ' Waves ', isPodcast: true })).toEqual({
      display_name: 'Waves',
      is_podcast: true,
    });
    expect(collectionPatch({ ...draft, profileId: 'p' }, { ...draft, profileId: ' ' })).toEqual({
      autotranscribe_profile_id: null,
    });
  });

  it('keeps a description byte for byte until it is edited', () => {
    const description = '<h2 class="x">A</h2>\r\n<p>b</p>';
    const formatted = draftOfCollection({ ...plain, description });
    expect(formatted).toMatchObject({ description });
    expect(collectionPatch(formatted, { ...formatted, displayName: 'B' })).toEqual({ display_name: 'B' });
    const edited = { ...formatted, description: '<h2>C</h2>' };
    expect(collectionPatch(formatted, edited)).toEqual({ description: '<h2>C</h2>' });
  });

  it('shows a problem at its field, and checks no field that was not edited', () => {
    expect(collectionProblems(draft, { ...draft, displayName: ' ' })).toHaveProperty('display_name');
    expect(collectionProblems(draft, { ...draft, slug: 'a b' })).toHaveProperty('slug');
    expect(collectionProblems(draft, { ...draft, slug: '' })).toHaveProperty('slug');
    expect(collectionProblems(draft, { ...draft, slug: 'über_uns-2' })).toEqual({});
    const odd = draftOfCollection({ ...plain, slug: 'a b', display_name: '' });
    expect(collectionProblems(odd, { ...odd, isPodcast: true })).toEqual({});
  });

  it('returns the values that an undo writes back', () => {
    const patch = { slug: 'x', autotranscribe_profile_id: 'p', description: 'y' };
    expect(valuesOf(plain, patch)).toEqual({
      slug: 'optics',
      autotranscribe_profile_id: null,
      description: plain.description,
    });
    expect(valuesOf({ ...plain, slug: '' }, patch)).not.toHaveProperty('slug');
  });
});
