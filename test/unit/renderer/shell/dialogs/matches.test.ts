import { describe, expect, it } from 'vitest';
import { byBeginning, matches } from '../../../../../renderer/shell/dialogs/matches.ts';

describe('the commands of the palette', () => {
  it('are found by all words, in any order, any letter case and with or without accents', () => {
    expect(matches('Show watched folders', 'folder WATCH')).toBe(true);
    expect(matches('Pause all uploads', 'upl pau')).toBe(true);
    expect(matches('Café', 'cafe')).toBe(true);
    expect(matches('Über uns', 'uber')).toBe(true);
    expect(matches('Größe zeigen', 'grosse')).toBe(false);
    expect(matches('Pause all uploads', 'resume')).toBe(false);
    expect(matches('Show uploads', 'show receipts')).toBe(false);
    expect(matches('New collection…', 'lect')).toBe(false);
    expect(matches('New collection…', '🦓')).toBe(false);
    expect(matches('New collection…', '"')).toBe(false);
    expect(matches('Search: Striped', 'search: str')).toBe(true);
  });

  it('are all found by an empty text', () => {
    expect(matches('Pause all uploads', '')).toBe(true);
  });

  it('begin with commands whose name begins with the text; the others keep their order', () => {
    const names = ['Show watched folders', 'Edit a watched folder', 'Watch a folder…'];
    expect(names.toSorted(byBeginning('watch a folder'))).toEqual([
      'Watch a folder…',
      'Show watched folders',
      'Edit a watched folder',
    ]);
    expect(names.toSorted(byBeginning('folder'))).toEqual(names);
  });
});
