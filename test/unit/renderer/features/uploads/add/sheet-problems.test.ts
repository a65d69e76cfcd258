import { expect, it } from 'vitest';
import { type SheetFacts, sheetProblems } from '../../../../../../renderer/features/uploads/add/sheet-problems.ts';

const valid: SheetFacts = {
  collectionId: 'c',
  titleTemplate: '{name}',
  folder: null,
  publishAt: null,
  publish: 'draft',
  source: 'keep',
  badCells: 0,
  isAllLeftOut: false,
};
const fields = (change: Partial<SheetFacts>) => sheetProblems({ ...valid, ...change }).map(({ field }) => field);

it('a complete add sheet has no problem', () => {
  expect(fields({})).toEqual([]);
  expect(fields({ publish: 'at', publishAt: '2035-01-01T00:00:00Z', source: 'move', folder: '/done' })).toEqual([]);
});

it('the problems of the add sheet are all invalid fields, from top to bottom', () => {
  expect(fields({ collectionId: null, titleTemplate: '{nmae}', publish: 'at', source: 'move' })).toEqual([
    'collection',
    'titles',
    'publish-at',
    'source-folder',
  ]);
});

it('the problems of the add sheet exclude fields of options that are not chosen', () => {
  expect(fields({ publishAt: null, publish: 'now', source: 'trash' })).toEqual([]);
});
