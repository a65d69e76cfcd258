import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchLook, totalsSentence } from '../../../../../renderer/features/receipts/receipt-text.ts';
import { uploadOutcomes } from '../../../../../shared/model/uploads/upload-counts.ts';
import { UPLOAD_STATES, type UploadState } from '../../../../../shared/model/uploads/upload-states.ts';

const countsOf = (change: Partial<Record<UploadState, number>>) =>
  ({ ...Object.fromEntries(UPLOAD_STATES.map((state) => [state, 0])), ...change }) as Record<UploadState, number>;

describe('the counts of a receipt', () => {
  it('add up to all rows of the batch, in any state', () => {
    const counts = fc.record(Object.fromEntries(UPLOAD_STATES.map((state) => [state, fc.nat(100_000)])));
    fc.assert(
      fc.property(counts, fc.double({ min: 0, max: 1, noNaN: true }), (given, share) => {
        const all = Object.values(given).reduce((sum, count) => sum + count, 0);
        const duplicates = Math.floor((given.failed ?? 0) * share);
        const totals = uploadOutcomes({ counts: countsOf(given), duplicates });
        const { added, complete, failed, needsDecision, cancelled, skipped, pending } = totals;
        expect(added).toBe(all);
        expect(needsDecision).toBe(duplicates);
        expect(complete + failed + needsDecision + cancelled + skipped + pending).toBe(added);
      }),
    );
  });

  it('all appear in the sentence for screen readers', () => {
    const totals = uploadOutcomes({ counts: countsOf({ complete: 1_200, failed: 2, processing: 3 }), duplicates: 0 });
    expect(totalsSentence(totals)).toBe(
      '1,205 files added: 1,200 complete, 2 failed, 0 cancelled, 0 skipped, 3 in progress.',
    );
    const asked = uploadOutcomes({ counts: countsOf({ complete: 1, failed: 2 }), duplicates: 1 });
    expect(totalsSentence(asked)).toBe(
      '3 files added: 1 complete, 1 failed, 1 needs your decision, 0 cancelled, 0 skipped, 0 in progress.',
    );
  });
});

describe('a batch in a list', () => {
  it('shows failures and decisions before success', () => {
    const word = (change: Partial<Record<UploadState, number>>, duplicates = 0) =>
      batchLook(uploadOutcomes({ counts: countsOf(change), duplicates })).word;
    expect(word({ complete: 5, failed: 1, queued: 3 })).toBe('1 failed');
    expect(word({ complete: 5, failed: 2, queued: 3 }, 1)).toBe('1 failed');
    expect(word({ complete: 5, failed: 2, queued: 3 }, 2)).toBe('2 need your decision');
    expect(word({ complete: 5, queued: 3 })).toBe('3 in progress');
    expect(word({ complete: 5, skipped: 1 })).toBe('5 complete');
    expect(word({ cancelled: 5, skipped: 1 })).toBe('Cancelled');
    expect(word({ skipped: 1 })).toBe('Skipped');
  });
});
