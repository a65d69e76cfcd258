import { expect, it } from 'vitest';
import { revisedProblems } from '../../../../../../renderer/features/edits/state/edits-store.ts';

it('the texts of a refused edit have a problem at each field that must not be empty', () => {
  const byline = '';
  expect(revisedProblems({ title: ' ', byline })).toEqual({ title: 'Enter a title.' });
  expect(revisedProblems({ display_name: '', slug: 'a b', description: '' })).toEqual({
    display_name: 'Enter a name.',
    slug: 'Use letters and digits, joined by hyphens.',
  });
  expect(revisedProblems({ title: 'Talk', byline })).toEqual({});
});
