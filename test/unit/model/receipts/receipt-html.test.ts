import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Receipt, ReceiptLine } from '../../../../shared/contract/uploads.ts';
import { receiptToHtml } from '../../../../shared/model/receipts/receipt-html.ts';
import { aReceipt } from '../../../helpers/data/receipts.ts';

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

const receiptOf = (lines: Partial<ReceiptLine>[], change: Partial<Receipt> = {}) =>
  aReceipt(
    lines.map((line) => ({ ...LINE, ...line })),
    change,
  );

const html = (lines: Partial<ReceiptLine>[], change: Partial<Receipt> = {}) =>
  receiptToHtml(receiptOf(lines, change), {
    timeZone: 'Europe/Vienna',
    hourCycle: 'h23',
    nowMs: Date.parse('2027-03-02T06:00:00Z'),
  });

/** Returns everything in the page that a browser would parse as markup. */
const tagsOf = (page: string) => page.match(/<[^>]*>/g)?.join('\n') ?? '';

describe('a receipt as HTML', () => {
  it('shows each file with title, link, size, checksum and captions', () => {
    const page = html([{}]);
    for (const text of ['A title', 'a.wav', 'ab<wbr>12', '1.2 MB', 'Captions: a.srt', 'media.example.org']) {
      expect(page).toContain(text);
    }
    expect(page).toContain('href="https://media.example.org/api2/media/m1/view"');
  });

  it('says when the encoding of captions was guessed', () => {
    const guessed = {
      kind: 'captions',
      state: 'done',
      fileName: 'a.srt',
      error: null,
      guessed: 'windows-1251',
    } as const;
    expect(html([{ followUps: [guessed] }])).toContain('Captions: a.srt, read as windows-1251: a guess');
  });

  it('shows no error codes, local paths or internal ids', () => {
    const error = { code: 'upload.tags-missing', message: 'Some tags are missing.', nextStep: null, details: null };
    const page = html([
      {
        outcome: 'failed',
        errorCode: 'upload.processing-failed',
        errorMessage: 'The library couldn’t process it.',
        followUps: [
          { kind: 'tags', state: 'failed', fileName: '', error },
          { kind: 'source', state: 'done', fileName: '/home/ada/sent/a.wav', error: null },
        ],
      },
    ]);
    expect(page).toContain('The library couldn’t process it.');
    expect(page).toContain('Tags failed. Some tags are missing.');
    for (const internal of ['upload.', '/rec/', '/home/ada', 'u1', 'f1', 'attempts'])
      expect(page).not.toContain(internal);
  });

  it('shows all times in one time zone, and names it', () => {
    const page = html([{}]);
    expect(page).toContain('1 Mar 2027, 10:00');
    expect(page).toContain('1 Mar 2027, 11:00');
    expect(page).toContain('All times are in the time zone Central European Time (Europe/Vienna).');
    expect(page).not.toMatch(/UTC|\d{2}:\d{2}Z|T\d{2}:/);
    expect(receiptToHtml(receiptOf([{}]), { timeZone: 'UTC', hourCycle: 'h23', nowMs: 0 })).toContain(
      'in the time zone UTC.',
    );
  });

  it('shows times with 12 hours when the sender’s system does', () => {
    const page = receiptToHtml(receiptOf([{}]), { timeZone: 'Europe/Vienna', hourCycle: 'h12', nowMs: 0 });
    expect(page).toContain('1 Mar 2027, 10:00 AM');
    expect(page).toContain('1 Jan 1970, 1:00 AM');
    expect(page).not.toMatch(/>[^<]*\d:\d{2}(?! [AP]M)/);
  });

  it('states the time at which its status was read', () => {
    expect(html([{ outcome: 'pending', endedAt: null }])).toContain('<dt>Status as of</dt><dd>2 Mar 2027, 07:00</dd>');
  });

  it('counts the outcomes, whose sum is the number of added files', () => {
    const totals = { added: 1206, complete: 1200, failed: 1, asks: 1, cancelled: 1, skipped: 1, pending: 2 };
    const page = html([{}], { totals: { ...totals, unpublished: 0, bytes: 5e9 } });
    const numbers = [
      ...page.matchAll(/<b>([\d,]+)<\/b> (Added|Complete|Failed|Needs decision|Cancelled|Skipped|In progress)/g),
    ];
    const count = Object.fromEntries(numbers.map(([, n = '', what = '']) => [what, Number(n.replaceAll(',', ''))]));
    const { Added: added, ...outcomes } = count;
    expect(count).toEqual({
      Added: 1206,
      Complete: 1200,
      Failed: 1,
      'Needs decision': 1,
      Cancelled: 1,
      Skipped: 1,
      'In progress': 2,
    });
    expect(Object.values(outcomes).reduce((sum, each) => sum + each, 0)).toBe(added);
    expect(page).toContain('1,200 of 1,205 files complete (5.0 GB)');
  });

  it.each([
    [{ added: 1, complete: 1 }, '1 file complete (5 bytes)'],
    [{ added: 3, complete: 3 }, 'All 3 files complete (5 bytes)'],
    [{ added: 3, complete: 2, skipped: 1 }, 'All 2 files complete (5 bytes)'],
    [{ added: 2, failed: 2 }, '0 of 2 files complete'],
    [{ added: 2, skipped: 2 }, 'No files were uploaded.'],
  ])('begins with the number of complete files of those not skipped: %o', (counts, headline) => {
    const none = { complete: 0, failed: 0, asks: 0, cancelled: 0, skipped: 0, pending: 0, unpublished: 0 };
    expect(html([{}], { totals: { ...none, ...counts, bytes: 5 } })).toContain(`>${headline}</p>`);
  });

  it('lists skipped files separately, with the reason', () => {
    const page = html([{}, { outcome: 'skipped', fileName: '.DS_Store', errorMessage: 'Hidden files are skipped.' }]);
    const [sent, skipped] = page.split('<h2>Skipped files</h2>');
    expect(sent).not.toContain('.DS_Store');
    expect(skipped).toContain('<td>.DS_Store</td><td class="skipped">Hidden files are skipped.</td>');
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
