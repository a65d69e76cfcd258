import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Receipt, ReceiptLine } from '../../../shared/contract/uploads.ts';
import { receiptToHtml } from '../../../shared/model/receipt-html.ts';

const LINE: ReceiptLine = {
  uploadId: 'u1',
  path: '/rec/a.wav',
  fileName: 'a.wav',
  sizeBytes: 1234567,
  sha256: 'ab12',
  title: 'A title',
  outcome: 'complete',
  mediaId: 'm1',
  fileId: 'f1',
  attempts: 2,
  addedAt: '2027-03-01T09:00:00Z',
  endedAt: '2027-03-01T10:00:00Z',
  errorCode: null,
  errorMessage: null,
  link: 'https://media.example.org/api2/media/m1/view',
  followUps: [{ kind: 'captions', state: 'done', fileName: 'a.srt', error: null }],
};

function receiptOf(lines: Partial<ReceiptLine>[], change: Partial<Receipt> = {}): Receipt {
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
    lines: lines.map((line) => ({ ...LINE, ...line })),
    ...change,
  };
}

const html = (lines: Partial<ReceiptLine>[], change: Partial<Receipt> = {}) =>
  receiptToHtml(receiptOf(lines, change), { timeZone: 'Europe/Vienna' });

/** The page without its texts: everything that a browser would parse as markup. */
const tagsOf = (page: string) => page.match(/<[^>]*>/g)?.join('\n') ?? '';

describe('a receipt as HTML', () => {
  it('shows hash, sizes, local and UTC times, ids, the link, attempts and follow-ups', () => {
    const page = html([{}]);
    for (const text of ['ab12', '1,234,567 bytes', '2027-03-01 10:00:00', '2027-03-01T09:00:00Z', 'item m1, file f1']) {
      expect(page).toContain(text);
    }
    expect(page).toContain('href="https://media.example.org/api2/media/m1/view"');
    expect(page).toContain('2 attempts');
    expect(page).toContain('Captions a.srt done');
  });

  it('shows counts that add up as in the data', () => {
    const page = html([{}, { outcome: 'failed' }, { outcome: 'asks' }], {
      totals: {
        added: 3,
        complete: 1,
        failed: 1,
        asks: 1,
        cancelled: 0,
        skipped: 0,
        pending: 0,
        unpublished: 0,
        bytes: 5,
      },
    });
    const numbers = [
      ...page.matchAll(/<b>(\d+)<\/b> (added|complete|failed|needs decision|cancelled|skipped|pending)/g),
    ];
    const count = Object.fromEntries(numbers.map(([, n, what]) => [what, Number(n)]));
    expect(count).toEqual({
      ...{ added: 3, complete: 1, failed: 1, 'needs decision': 1 },
      ...{ cancelled: 0, skipped: 0, pending: 0 },
    });
    expect(page.match(/<tr><td class="(complete|failed)">(complete|failed)/g)).toHaveLength(2);
  });

  it('is a single file that loads nothing and runs no script', () => {
    const page = html([{}]);
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    expect(tagsOf(page)).not.toMatch(/<(script|img|link|iframe|object|base)\b|\ssrc=|\son\w+=/i);
  });

  it('never interprets text from outside as markup', () => {
    const nasty = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '<script>alert(1)</script>',
        '"><img src=x onerror=alert(1)>',
        `' onmouseover='x`,
        '</style><script>',
        '<!--',
        '&lt;b&gt;',
        '\u202egnp.exe',
        '\u0000<',
      ),
    );
    const plain = tagsOf(html([{}]));
    fc.assert(
      fc.property(nasty, (text) => {
        const line = { title: text, fileName: text, path: text };
        const change = { collectionName: text, batchId: text };
        expect(tagsOf(html([line], change))).toBe(plain);
      }),
    );
  });

  it('links to web addresses only', () => {
    expect(tagsOf(html([{ link: 'javascript:alert(1)' }]))).not.toContain('javascript');
    expect(tagsOf(html([{ link: 'https://x/"onclick="y' }]))).toContain('&quot;onclick=&quot;y');
  });
});
