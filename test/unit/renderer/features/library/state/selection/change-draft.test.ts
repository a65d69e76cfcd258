import { describe, expect, it } from 'vitest';
import {
  type ChangeDraft,
  EMPTY_CHANGE,
  hasTicks,
  readDraftChange,
  type TextDraft,
} from '../../../../../../../renderer/features/library/state/selection/change-draft.ts';

const text = (change: Partial<TextDraft>): TextDraft => ({ ...EMPTY_CHANGE.title, on: true, ...change });
const read = (draft: Partial<ChangeDraft>) => readDraftChange({ ...EMPTY_CHANGE, ...draft });

describe('the form that changes several items', () => {
  it('changes only the fields that are turned on', () => {
    const typed = { ...EMPTY_CHANGE, title: { ...EMPTY_CHANGE.title, text: 'Typed, then turned off' } };
    expect(hasTicks(typed)).toBe(false);
    expect(readDraftChange(typed)).toEqual({ change: {}, problems: {} });
    expect(read({ byline: text({ text: ' Ada ' }) })).toEqual({
      change: { byline: { kind: 'set', value: 'Ada' } },
      problems: {},
    });
  });

  it('clears a text that is replaced by an empty text, but never a title', () => {
    expect(read({ byline: text({ text: ' ' }) }).change).toEqual({ byline: { kind: 'clear' } });
    expect(read({ title: text({ text: ' ' }) })).toMatchObject({ change: {}, problems: { title: expect.any(String) } });
    expect(read({ title: text({ action: 'clear' }) }).problems).toHaveProperty('title');
  });

  it('escapes text that is typed into a description, also in a search', () => {
    expect(read({ description: text({ text: 'a < b\n\nc' }) }).change).toEqual({
      description: { kind: 'set', value: '<p>a &lt; b</p>\n<p>c</p>' },
    });
    const replace = text({ action: 'replace', find: 'R&D', text: '<script>', matchCase: true });
    expect(read({ description: replace }).change).toEqual({
      description: { kind: 'replace', find: 'R&amp;D', replaceWith: '&lt;script&gt;', matchCase: true },
    });
    expect(read({ title: replace }).change).toEqual({
      title: { kind: 'replace', find: 'R&D', replaceWith: '<script>', matchCase: true },
    });
  });

  it('reports a missing value at its field', () => {
    const { problems } = read({
      title: text({ action: 'prefix' }),
      byline: text({ action: 'replace', text: 'x' }),
      tags: { ...EMPTY_CHANGE.tags, on: true },
      collection: { on: true, id: null },
      publication: { on: true, action: 'at', at: null },
    });
    expect(Object.keys(problems).sort()).toEqual(['byline', 'collection', 'publication', 'tags', 'title']);
  });

  it('adds and removes tags, or replaces all of them, also by an empty list', () => {
    const tags = { on: true, add: ['a'], remove: ['b'] };
    expect(read({ tags: { ...tags, action: 'change' } }).change).toEqual({
      tags: { kind: 'change', add: ['a'], remove: ['b'] },
    });
    expect(read({ tags: { on: true, add: [], remove: ['b'], action: 'replace' } }).change).toEqual({
      tags: { kind: 'replace', tags: [] },
    });
  });

  it('parses a recipe, and reports each problem at its position', () => {
    const recipe = (change: Partial<ChangeDraft['recipe']>) =>
      read({ recipe: { ...EMPTY_CHANGE.recipe, on: true, ...change } });
    const templates = { title: '{course}: {part}', byline: '', description: '', tags: '' };
    expect(recipe({ pattern: '{course}_{part}', templates }).change).toEqual({
      recipe: {
        from: 'title',
        pattern: '{course}_{part}',
        hasUnderscores: true,
        fields: { title: '{course}: {part}' },
      },
    });
    expect(recipe({ templates }).problems.recipe).toMatchObject({ title: expect.any(String) });
    expect(recipe({ pattern: '{a}{b}' }).problems.recipe).toMatchObject({ pattern: expect.any(String) });
    expect(recipe({ pattern: '{a}_{b}' }).problems.recipe).toEqual({ title: expect.any(String) });
    expect(recipe({}).problems.recipe).toEqual({ pattern: expect.any(String) });
  });
});
