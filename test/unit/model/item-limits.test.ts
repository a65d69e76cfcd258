import { expect, it } from 'vitest';
import { bulkChangeSchema } from '../../../shared/contract/edits.ts';
import { mediaPatchSchema } from '../../../shared/contract/library.ts';
import { PRESET_CALLS } from '../../../shared/contract/presets.ts';
import { fileChoiceSchema } from '../../../shared/contract/upload-files.ts';
import { addUploadsInputSchema } from '../../../shared/contract/uploads.ts';
import { watchRulesSchema } from '../../../shared/contract/watch-rules.ts';
import { ITEM_FIELD, LONGEST_TAG } from '../../../shared/item/fields.ts';
import { itemFieldProblem } from '../../../shared/model/item-fields.ts';
import { checkFileRows } from '../../../shared/model/manifest/file-rows.ts';

/** For each part of the program that accepts the tags of an item: whether it accepts these tags. */
const accepts: Readonly<Record<string, (tags: string[]) => boolean>> = {
  'values of a new item': (tags) => itemFieldProblem({ tags }) === null,
  'values of one added file': (tags) => fileChoiceSchema.safeParse({ path: '/a.mp4', fields: { tags } }).success,
  'options of added files': (tags) =>
    addUploadsInputSchema.safeParse({ siteId: 's', collectionId: 'c', paths: ['/a.mp4'], defaults: { tags } }).success,
  'saved options': (tags) =>
    PRESET_CALLS['presets.save'].input.safeParse({
      siteId: 's',
      collectionId: 'c',
      name: 'Name',
      values: {
        titleTemplate: '{name}',
        tags,
        publish: 'draft',
        duplicates: 'ask',
        sidecars: true,
        source: { kind: 'keep' },
        priority: 'normal',
      },
    }).success,
  'rules of a watched folder': (tags) =>
    watchRulesSchema.safeParse({
      defaults: {
        settings: { siteId: 's', tags, collection: { kind: 'fixed', collection: { kind: 'ref', ref: 'Lectures' } } },
      },
    }).success,
  'an edit of one item': (tags) => mediaPatchSchema.safeParse({ tags }).success,
  'an edit of many items': (tags) => bulkChangeSchema.safeParse({ tags: { kind: 'replace', tags } }).success,
  'rows of a spreadsheet of files': (tags) => {
    const { problems, files } = checkFileRows({
      rows: [{ row: 2, line: 2, cells: ['a.mp4', tags.join('|')] }],
      width: 2,
      mapping: ['file', 'tags'],
      hasCollection: true,
      found: new Map([[2, { kind: 'found', path: '/a.mp4', identity: '1' }]]),
      context: {
        timeZone: 'UTC',
        nowMs: 0,
        pathOf: () => null,
        hasCollection: () => true,
        findCollection: () => ({ kind: 'none' }),
      },
    });
    expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(files.length > 0 ? [] : ['manifest.tags-limit']));
    return files.length > 0;
  },
};

const tags = (count: number) => Array.from({ length: count }, (_, at) => `t${at}`);

it.each(Object.entries(accepts))('the same limits of tags apply to %s', (_, accept) => {
  expect(accept(tags(ITEM_FIELD.tags.most))).toBe(true);
  expect(accept(tags(ITEM_FIELD.tags.most + 1))).toBe(false);
  expect(accept(['x'.repeat(LONGEST_TAG)])).toBe(true);
  expect(accept(['x'.repeat(LONGEST_TAG + 1)])).toBe(false);
});
