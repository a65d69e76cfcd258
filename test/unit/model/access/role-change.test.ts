import { describe, expect, it } from 'vitest';
import { changedRole } from '../../../../shared/model/access/role-change.ts';
import { similarNames } from '../../../../shared/model/access/similar-names.ts';

describe('a change of a role', () => {
  it('adds all that a permission depends on, and removes all that depends on it', () => {
    expect(changedRole([], { add: ['media-publish'], remove: [] })).toEqual({
      permissions: ['collection-read', 'media-create', 'media-publish', 'media-read'],
      addedBesides: ['collection-read', 'media-create', 'media-read'],
      removedBesides: [],
    });
    const before = ['collection-read', 'media-read', 'comment-read', 'comment-create'];
    expect(changedRole(before, { add: [], remove: ['comment-read'] })).toEqual({
      permissions: ['collection-read', 'media-read'],
      addedBesides: [],
      removedBesides: ['comment-create'],
    });
  });

  it('keeps permissions that this program does not know', () => {
    const changed = changedRole(['collection-read', 'media-transcribe'], { add: [], remove: ['collection-read'] });
    expect(changed).toMatchObject({ permissions: ['media-transcribe'], removedBesides: [] });
  });

  it('is a conflict when an added permission depends on a removed one', () => {
    const conflict = changedRole([], { add: ['media-delete'], remove: ['collection-read'] });
    expect(conflict).toEqual({ conflict: { added: 'media-delete', removed: 'collection-read' } });
    expect(changedRole([], { add: ['media-read'], remove: ['media-read'] })).toHaveProperty('conflict');
  });
});

describe('similar names', () => {
  const similar = (...names: string[]) =>
    similarNames(names.map((name) => ({ name }))).map((group) => group.map(({ name }) => name));

  it('differ in letter case, accents, separators or a plural', () => {
    expect(similar('Optics', 'optic', 'Café', 'cafe', 'wave-optics', 'Wave Optics', 'Waves')).toEqual([
      ['Optics', 'optic'],
      ['Café', 'cafe'],
      ['wave-optics', 'Wave Optics'],
    ]);
  });

  it('are not those of which only signs or the end of another word differ', () => {
    expect(similar('C++', 'C#', 'C', '???', '!!!', 'glas', 'glass', 'gas', 'ga')).toEqual([]);
  });
});
