import { describe, expect, it } from 'vitest';
import type { EditableMedia } from '../../../../shared/model/edits/edit-ops.ts';
import { checkRows } from '../../../../shared/model/manifest/check-rows.ts';
import {
  checkEditedCells,
  EDITED_MAPPING,
  type EditedCells,
  editableCell,
  editedContext,
  editedRow,
} from '../../../../shared/model/manifest/edited-cells.ts';
import type { RowContext } from '../../../../shared/model/manifest/read-row.ts';

const NOW = Date.UTC(2030, 0, 1);
const ITEM: EditableMedia = {
  id: '7',
  title: 'Talk',
  byline: 'Ada',
  description: '<p>a</p>',
  tags: ['x', 'a|b'],
  collectionId: '1',
  status: 'scheduled',
  publishOn: '2031-05-06T07:00:00Z',
};
const CONTEXT: RowContext = {
  timeZone: 'Europe/Vienna',
  nowMs: NOW,
  pathOf: () => ['Library'],
  hasCollection: () => true,
  findCollection: (ref) => (ref === 'Physics' ? { kind: 'one', id: '5' } : { kind: 'none' }),
};

/** Returns the result of the engine's check of changed cells of the item. */
function check(changed: EditedCells, item = ITEM) {
  return checkRows({
    rows: [editedRow(1, item, changed)],
    width: EDITED_MAPPING.length,
    mapping: EDITED_MAPPING,
    items: new Map([[item.id, { effective: item, truth: item }]]),
    context: editedContext(CONTEXT),
  });
}

describe('cells that are edited on the screen', () => {
  it.each([
    ['a text', { title: 'New' }, [{ kind: 'set-field', v: 1, field: 'title', base: 'Talk', mine: 'New' }]],
    ['an emptied text', { byline: '' }, [{ kind: 'set-field', v: 1, field: 'byline', base: 'Ada', mine: '' }]],
    [
      'blanks only',
      { description: ' ' },
      [{ kind: 'set-field', v: 1, field: 'description', base: '<p>a</p>', mine: '' }],
    ],
    ['a tag', { tags: 'x|a\\|b|new' }, [{ kind: 'add-tag', v: 1, tag: 'new' }]],
    [
      'no tags',
      { tags: '' },
      [
        { kind: 'remove-tag', v: 1, tag: 'x' },
        { kind: 'remove-tag', v: 1, tag: 'a|b' },
      ],
    ],
    ['a collection', { collection: 'Physics' }, [{ kind: 'move-collection', v: 1, base: '1', mine: '5' }]],
  ] as const)('change exactly one field: %s', (_, changed, ops) => {
    expect(check(changed)).toMatchObject({ planned: [{ ops }], problems: [] });
  });

  it.each([
    ['a paragraph', '<p>a</p>', 'a'],
    ['paragraphs and lines', '<p>a &amp; b</p><p>c<br />d</p>', 'a & b\n\nc\nd'],
    ['formatting', '<p>a <b>b</b></p>', '<p>a <b>b</b></p>'],
  ])('show descriptions as text, and change only edited ones: %s', (_, description, text) => {
    const item = { ...ITEM, description };
    expect(editableCell('description', item, 'UTC')).toBe(text);
    expect(check({ description: text }, item)).toMatchObject({ planned: [], unchanged: 1, problems: [] });
    expect(check({ description: text.replaceAll('\n', '\r\n') }, item)).toMatchObject({ planned: [], unchanged: 1 });
  });

  it.each([
    ['text', '<p>a</p>', 'x < y\n\nz', '<p>x &lt; y</p>\n<p>z</p>'],
    ['formatted text that stays so', '<p>a <b>b</b></p>', '<p>c <b>b</b></p>', '<p>c <b>b</b></p>'],
    ['a formatted text in place of a plain one', '<p>a</p>', '<p><b>b</b></p>', '<p><b>b</b></p>'],
    ['nothing in place of formatted text', '<p>a <b>b</b></p>', '', ''],
  ])('are sent as HTML when they are descriptions: %s', (_, description, text, mine) => {
    const item = { ...ITEM, description };
    expect(check({ description: text }, item)).toMatchObject({
      planned: [{ ops: [{ field: 'description', base: description, mine }] }],
      problems: [],
    });
  });

  it.each([
    ['is added', '@home', "'@home"],
    ['is removed', "'@home", '@home'],
    ['becomes two', "'-5", "''-5"],
  ])('keep texts as the user typed them: an apostrophe %s', (_, title, mine) => {
    const item = { ...ITEM, title };
    expect(check({ title: mine }, item)).toMatchObject({ planned: [{ ops: [{ field: 'title', base: title, mine }] }] });
    expect(check({ title }, item)).toMatchObject({ planned: [], unchanged: 1 });
  });

  it('are refused when they would remove the formatting of a description', () => {
    const item = { ...ITEM, description: '<p>a <b>b</b></p>' };
    for (const description of ['a b', '<p>a b</p>']) {
      expect(checkEditedCells(item, { description }, CONTEXT)).toEqual([
        { field: 'description', code: 'manifest.formatting-lost' },
      ]);
      expect(check({ description }, item)).toMatchObject({
        planned: [],
        problems: [{ code: 'manifest.formatting-lost' }],
      });
    }
  });

  it('change nothing when they keep the shown texts', () => {
    for (const field of ['title', 'byline', 'description', 'tags', 'status', 'publishOn'] as const) {
      const text = editableCell(field, ITEM, CONTEXT.timeZone);
      expect(check({ [field]: text }), field).toMatchObject({ planned: [], unchanged: 1, problems: [] });
    }
  });

  it.each([
    ['an empty title', { title: '' }, 'title', 'edit.title-empty'],
    ['a long title', { title: 'x'.repeat(1001) }, 'title', 'edit.too-long'],
    ['a status that does not exist', { status: 'public' }, 'status', 'manifest.status-unknown'],
    ['an empty status', { status: '' }, 'status', 'manifest.cant-clear'],
    ['an empty time', { publishOn: '' }, 'publishOn', 'manifest.date-cleared'],
    ['an ambiguous date', { publishOn: '1/2/2035' }, 'publishOn', 'manifest.date-unreadable'],
    ['a time in the past', { publishOn: '2020-01-01T00:00' }, 'publishOn', 'manifest.date-passed'],
    [
      'too many tags',
      { tags: Array.from({ length: 501 }, (_, at) => `t${at}`).join('|') },
      'tags',
      'manifest.tags-limit',
    ],
  ] as const)('are refused on the screen and by the engine: %s', (_, changed, field, code) => {
    expect(checkEditedCells(ITEM, changed, CONTEXT)).toEqual([{ field, code }]);
    expect(check(changed).problems.map((problem) => problem.code)).toEqual([code]);
  });

  it('of collections are checked by the engine only', () => {
    expect(checkEditedCells(ITEM, { collection: 'Nowhere' }, CONTEXT)).toEqual([]);
    expect(check({ collection: 'Nowhere' }).problems).toMatchObject([{ code: 'manifest.collection-unknown' }]);
  });
});
