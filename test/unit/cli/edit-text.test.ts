import { expect, it } from 'vitest';
import { rowLines } from '../../../electron/cli/edits/edit-text.ts';
import { appError } from '../../../shared/contract/app-error.ts';

it('a deletion that needs a decision is listed with the changes of other users below it', () => {
  const lines = rowLines({
    id: '7',
    groupId: 'g',
    siteId: 's',
    entityKind: 'media',
    entityId: '12',
    name: 'Talk',
    state: 'conflict',
    changes: [
      {
        field: 'item',
        before: null,
        after: null,
        theirs: null,
        needsDecision: true,
        since: [
          { field: 'byline', before: 'Ada', after: 'Ada and guests' },
          { field: 'tags', before: ['a'], after: ['a', 'b'] },
          // `before` is null because this description was too long to be stored.
          { field: 'description', before: null, after: '<p>New</p>' },
        ],
      },
    ],
    error: appError('edit.deletion-asks').toData(),
    attempts: 0,
    nextAt: null,
    createdAt: 0,
    endedAt: null,
  });
  expect(lines).toEqual([
    '7  conflict  item 12  Talk',
    expect.stringMatching(/^ {4}\S/),
    '      changed since: byline: “Ada” → “Ada and guests”',
    '      changed since: tags: a → a, b',
    '      changed since: description: now “<p>New</p>”',
    '    This changed since you last saw it, so the deletion stopped.',
    '    Keep it, or delete it anyway.',
  ]);
});

it('a refused edit is listed with the values that the library refused, and the next step', () => {
  const error = appError('api.invalid', { details: { status: 422, errors: ['title: is too long'] } }).toData();
  const lines = rowLines({
    id: '8',
    groupId: 'g',
    siteId: 's',
    entityKind: 'media',
    entityId: '12',
    name: 'Talk',
    state: 'refused',
    changes: [],
    error,
    attempts: 0,
    nextAt: null,
    createdAt: 0,
    endedAt: null,
  });
  expect(lines).toEqual([
    '8  refused  item 12  Talk',
    '    The library didn’t accept some of the values.',
    '    The library responded with status 422',
    '    title: is too long',
    '    Correct the values named in the details.',
  ]);
});
