import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildReceipt } from '../../../../../electron/engine/uploads/reports/receipts.ts';
import { appError } from '../../../../../shared/contract/app-error.ts';
import { receiptSchema } from '../../../../../shared/contract/uploads.ts';
import { UPLOAD_STATES } from '../../../../../shared/model/uploads/upload-states.ts';
import { aBatch, anUpload } from '../../../../helpers/data/upload-rows.ts';

const batch = { ...aBatch({ addedAt: Date.UTC(2026, 10, 21) }), links: [] };

const anError = fc.constantFrom(
  null,
  ...(['upload.duplicate', 'file.missing'] as const).map((code) => appError(code).toData()),
);

describe('a receipt', () => {
  it('has totals that add up for any mix of states and errors', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...UPLOAD_STATES), anError), { maxLength: 50 }), (rows) => {
        const uploads = rows.map(([state, error], index) => anUpload({ id: `u${index}`, state, error }));
        const { totals, lines } = receiptSchema.parse(buildReceipt(batch, 'media.example.org', uploads));
        const { added, complete, failed, asks, cancelled, skipped, pending } = totals;
        expect(added).toBe(rows.length);
        expect(complete + failed + asks + cancelled + skipped + pending).toBe(added);
        expect(asks).toBe(
          rows.filter(([state, error]) => state === 'failed' && error?.code === 'upload.duplicate').length,
        );
        expect(lines).toHaveLength(rows.length);
      }),
    );
  });

  it('counts the first attempt and each retry, and no attempt for an upload that was never tried', () => {
    const uploads = [
      anUpload({ state: 'complete', itemIntentAt: 1, mediaId: 'm1' }),
      anUpload({ id: 'u2', state: 'failed', mediaId: 'm2', retries: 3 }),
      anUpload({ id: 'u3', state: 'skipped' }),
    ];
    const { lines } = buildReceipt(batch, 'media.example.org', uploads);
    expect(lines.map(({ attempts }) => attempts)).toEqual([1, 4, 0]);
  });

  it('counts only bytes that the library holds', () => {
    const uploads = [anUpload({ state: 'complete', sizeBytes: 7 }), anUpload({ state: 'failed', sizeBytes: 100 })];
    expect(buildReceipt(batch, 'media.example.org', uploads).totals.bytes).toBe(7);
  });
});
