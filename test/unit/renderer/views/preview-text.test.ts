import { describe, expect, it } from 'vitest';
import { sheetRemark, sheetSum, sheetTitle } from '../../../../renderer/views/uploads/add/preview-text.ts';
import type { UploadsPreview } from '../../../../shared/contract/uploads.ts';

const preview = (change: Partial<UploadsPreview> = {}): UploadsPreview => ({
  files: 12,
  bytes: 1_400_000_000,
  skipped: 0,
  likelyDuplicates: 0,
  sidecars: 0,
  isAll: true,
  firstNames: [],
  ...change,
});

describe('the text of the add sheet', () => {
  it.each([
    ['while it counts', null, 'Add recordings', 'Counting the files…', null],
    ['of a plain folder', preview(), 'Add 12 files', '1.4 GB', null],
    ['of one file', preview({ files: 1 }), 'Add 1 file', '1.4 GB', null],
    ['of a folder with things to leave out', preview({ skipped: 2 }), 'Add 12 files', '1.4 GB · 2 left out', null],
    [
      'of an empty folder',
      preview({ files: 0, bytes: 0 }),
      'Nothing to add',
      '0 B',
      'There are no files in what you chose.',
    ],
  ] as const)('%s', (_when, given, title, sum, remark) => {
    expect(sheetTitle(given)).toBe(title);
    expect(sheetSum(given)).toBe(sum);
    expect(sheetRemark(given)).toBe(remark);
  });

  it('does not present the counted part of a huge folder as all of it', () => {
    const huge = preview({ files: 99_000, skipped: 1000, isAll: false });
    expect(sheetTitle(huge)).toBe('Add more than 99,000 files');
    expect(sheetSum(huge)).toBe('more than 1.4 GB · 1,000 left out');
    expect(sheetRemark(huge)).toContain('All of them will be added');
  });

  it('states that none of the files can be sent', () => {
    expect(sheetRemark(preview({ files: 0, bytes: 0, skipped: 3 }))).toContain('None of the 3 files can be sent');
  });
});
