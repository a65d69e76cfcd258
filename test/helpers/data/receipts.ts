import type { Receipt, ReceiptLine } from '../../../shared/contract/uploads.ts';

/** The receipt of a batch whose uploads are complete. */
export function aReceipt(lines: ReceiptLine[], change: Partial<Receipt> = {}): Receipt {
  return {
    batchId: 'b1',
    site: 'https://media.example.org',
    collectionId: 'c1',
    collectionName: 'Physics',
    addedAt: '2027-03-01T09:00:00Z',
    totals: {
      added: lines.length,
      complete: lines.length,
      failed: 0,
      asks: 0,
      cancelled: 0,
      skipped: 0,
      pending: 0,
      unpublished: 0,
      bytes: 0,
    },
    lines,
    ...change,
  };
}
