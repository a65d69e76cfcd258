import { describe, expect, it } from 'vitest';
import {
  sheetCounts,
  sheetRemark,
  sheetSum,
  sheetTitle,
} from '../../../../../../renderer/features/uploads/add/preview-text.ts';
import type { ListedFile } from '../../../../../../shared/contract/upload-files.ts';
import type { UploadsPreview } from '../../../../../../shared/contract/uploads.ts';

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
    ['while it counts', null, 'Add recordings', 'Counting files…', null],
    ['of a plain folder', preview(), 'Add 12 files', '1.4 GB', null],
    ['of one file', preview({ files: 1 }), 'Add 1 file', '1.4 GB', null],
    ['of a folder with files to skip', preview({ skipped: 2 }), 'Add 12 files', '1.4 GB · 2 skipped', null],
    [
      'of an empty folder',
      preview({ files: 0, bytes: 0 }),
      'Nothing to add',
      '0 B',
      'Your selection contains no files.',
    ],
  ] as const)('has a title, a sum and a remark %s', (_when, given, title, sum, remark) => {
    const counts = sheetCounts(given, null);
    expect(sheetTitle(counts)).toBe(title);
    expect(sheetSum(counts)).toBe(sum);
    expect(sheetRemark(given)).toBe(remark);
  });

  it('does not present the counted part of a huge folder as the whole folder', () => {
    const huge = preview({ files: 99_000, skipped: 1000, isAll: false });
    expect(sheetTitle(sheetCounts(huge, null))).toBe('Add more than 99,000 files');
    expect(sheetSum(sheetCounts(huge, null))).toBe('more than 1.4 GB · 1,000 skipped');
    expect(sheetRemark(huge)).toContain('It adds all of them');
  });

  it('subtracts excluded files from its counts, and states how many they are', () => {
    const sum = { files: 10, bytes: 1_000_000_000, leftOut: 2, leftOutBytes: 400_000_000 };
    const counts = sheetCounts(preview({ skipped: 1, list: { files: [], isAll: true } }), sum);
    expect([sheetTitle(counts), sheetSum(counts)]).toEqual(['Add 10 files', '1 GB · 2 left out · 1 skipped']);
    const open = { unclear: { kind: 'captions', doubt: 'part', candidates: [] } } as unknown as ListedFile;
    const unclear = sheetCounts(preview({ skipped: 3, list: { files: [open, open], isAll: true } }), null);
    expect(sheetSum(unclear)).toContain(' · 2 need your choice · 1 skipped');
    const more = sheetCounts(preview({ files: 30_000, list: { files: [], isAll: false } }), sum);
    expect([sheetTitle(more), sheetSum(more)]).toEqual(['Add 29,998 files', '1 GB · 2 left out']);
  });

  it('states that none of the files can be uploaded', () => {
    expect(sheetRemark(preview({ files: 0, bytes: 0, skipped: 3 }))).toContain('None of the 3 files can be uploaded');
  });
});
