import type { Receipt, ReceiptLine } from '../../contract/uploads.ts';
import { type DateParts, dateTimeText, dayText, type HourCycle, zonedParts } from '../date-time.ts';
import { escapeHtml } from '../escape-html.ts';
import { followUpText } from './follow-up-text.ts';
import { RECEIPT_STYLE } from './receipt-style.ts';

export interface HtmlReceiptOptions {
  /** The zone of all times on the page, such as `Europe/Vienna`. */
  timeZone: string;
  /**
   * The hours of the computer that creates the page: recipients can read both forms, and the sender sees the times of the
   * screens.
   */
  hourCycle: HourCycle;
  /** When the receipt is created, in epoch milliseconds. */
  nowMs: number;
}

/**
 * Returns a receipt as one HTML page to print or forward: the uploaded files, the times, and the checksum of each file. It
 * contains no error codes, local paths or internal ids; those are in the CSV and JSON receipts.
 *
 * The page loads nothing, prints on A4 and letter, and never treats text from outside as markup. Its content policy forbids
 * scripts, so that not even a mistake of ours could run one.
 */
export function receiptToHtml(receipt: Receipt, { timeZone, hourCycle, nowMs }: HtmlReceiptOptions): string {
  const { lines } = receipt;
  const instant = instantWriter(timeZone, hourCycle);
  const sent = lines.filter(({ outcome }) => outcome !== 'skipped');
  const skipped = lines.filter(({ outcome }) => outcome === 'skipped');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>Upload receipt: ${text(receipt.collectionName)}, ${text(instant.day(receipt.addedAt))}</title>
<style>${RECEIPT_STYLE}</style>
</head>
<body>
<header>
<div><p class="kind">Upload receipt</p>
<h1>${text(receipt.collectionName)}</h1></div>
<dl>
${fact('Library', hostOf(receipt.site))}
${fact('Added', instant.time(receipt.addedAt))}
${fact('Status as of', instant.time(new Date(nowMs).toISOString()))}
</dl>
</header>
<section class="summary">
<p class="headline">${headline(receipt)}</p>
${totals(receipt)}
${draftsSentence(receipt.totals.unpublished)}</section>
${sent.length === 0 ? '' : sentTable(sent, instant)}${skipped.length === 0 ? '' : skippedTable(skipped)}
<footer>
<p>All times are in the time zone ${text(zoneName(timeZone, receipt.addedAt))}.</p>
<p>SHA-256 is the checksum of a file’s contents as they were sent. A file is complete when the library has received and processed
it, with the same size.</p>
<p>Batch ${text(receipt.batchId)} · Created with Mediadesk</p>
</footer>
</body>
</html>
`;
}

const STATUS: Readonly<Record<ReceiptLine['outcome'], string>> = {
  complete: 'Complete',
  failed: 'Failed',
  asks: 'Needs decision',
  cancelled: 'Cancelled',
  skipped: 'Skipped',
  pending: 'In progress',
};

/** The order of the totals. Outcomes without a file are omitted. */
const OUTCOMES = ['complete', 'failed', 'asks', 'pending', 'cancelled', 'skipped'] as const;

const files = (count: number) => (count === 1 ? '1 file' : `${count.toLocaleString('en')} files`);

/** Returns a text such as `All 12 files complete (1.4 GB)`. Skipped files were not uploaded, so they do not count. */
function headline({ totals: { added, skipped, complete, bytes: sum } }: Receipt): string {
  const wanted = added - skipped;
  if (wanted === 0) return 'No files were uploaded.';
  const size = complete > 0 ? ` (${bytes(sum)})` : '';
  if (complete < wanted) return `${complete.toLocaleString('en')} of ${files(wanted)} complete${size}`;
  return wanted === 1 ? `1 file complete${size}` : `All ${files(wanted)} complete${size}`;
}

function totals({ totals: all }: Receipt): string {
  const cells = OUTCOMES.filter((outcome) => all[outcome] > 0).map(
    (outcome) => `<li class="${outcome}"><b>${all[outcome].toLocaleString('en')}</b> ${STATUS[outcome]}</li>`,
  );
  return `<ul class="totals"><li><b>${all.added.toLocaleString('en')}</b> Added</li>${cells.join('')}</ul>`;
}

/** Returns the sentence about complete items that are still drafts: counted separately, so that the outcomes add up. */
function draftsSentence(count: number): string {
  if (count === 0) return '';
  const items = count === 1 ? '1 complete item is a draft' : `${count.toLocaleString('en')} complete items are drafts`;
  return `<p class="note">${items} because the library didn’t publish ${count === 1 ? 'it' : 'them'}.</p>\n`;
}

function sentTable(lines: readonly ReceiptLine[], instant: InstantWriter): string {
  const rows = lines.map(
    (line) => `<tr><td>${item(line)}${checksum(line)}</td>
<td class="${line.outcome}"><span class="status">${STATUS[line.outcome]}</span>${reason(line)}${followUps(line)}</td>
<td class="number">${bytes(line.sizeBytes)}</td>
<td class="number">${line.endedAt === null ? '–' : instant.time(line.endedAt)}</td></tr>`,
  );
  return `<table>
<thead><tr><th>File and checksum (SHA-256)</th><th>Status</th><th class="number">Size</th><th class="number">Ended</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
`;
}

function skippedTable(lines: readonly ReceiptLine[]): string {
  const rows = lines.map(
    ({ fileName, errorMessage }) =>
      `<tr><td>${text(fileName)}</td><td class="skipped">${text(errorMessage ?? '')}</td></tr>`,
  );
  return `<h2>Skipped files</h2>
<table>
<thead><tr><th>File</th><th>Reason</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
`;
}

function item({ title, fileName, link }: ReceiptLine): string {
  const name = `<b>${text(title)}</b>`;
  const linked = isWebAddress(link) ? `<a href="${text(link)}" rel="noreferrer">${name}</a>` : name;
  return `${linked}<p>${text(fileName)}</p>`;
}

function checksum({ sha256 }: ReceiptLine): string {
  if (sha256 === null) return '';
  // In a narrow column, the hash breaks in the middle.
  const half = sha256.length / 2;
  return `<p class="sum"><code>${text(sha256.slice(0, half))}<wbr>${text(sha256.slice(half))}</code></p>`;
}

/** Returns why an upload is not complete. Failures after its completion are in its follow-ups. */
function reason({ outcome, errorMessage }: ReceiptLine): string {
  return outcome === 'complete' || errorMessage === null ? '' : `<p>${text(errorMessage)}</p>`;
}

/** Captions, thumbnail, tags and publication. The local file concerns only the sender. */
function followUps({ followUps: all }: ReceiptLine): string {
  const items = all
    .filter(({ kind }) => kind !== 'source')
    .map((row) => `<li class="${row.state}">${text(followUpText(row))}</li>`);
  return items.length === 0 ? '' : `<ul>${items.join('')}</ul>`;
}

const fact = (name: string, value: string) => `<dt>${name}</dt><dd>${text(value)}</dd>`;

/** `1.4 GB`, in decimal units. */
function bytes(count: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let value = count;
  let unit = 0;
  for (; value >= 999.95 && unit < units.length - 1; unit += 1) value /= 1000;
  return unit === 0 ? `${count} ${count === 1 ? 'byte' : 'bytes'}` : `${value.toFixed(1)} ${units[unit]}`;
}

interface InstantWriter {
  /** `19 Nov 2026` */
  day(iso: string): string;
  /** `19 Nov 2026, 14:02` */
  time(iso: string): string;
}

function instantWriter(timeZone: string, hourCycle: HourCycle): InstantWriter {
  const write = (iso: string, textOf: (parts: DateParts) => string) => {
    const at = Date.parse(iso);
    return Number.isNaN(at) ? iso : textOf(zonedParts(new Date(at), timeZone));
  };
  return { day: (iso) => write(iso, dayText), time: (iso) => write(iso, (parts) => dateTimeText(parts, hourCycle)) };
}

/** `Central European Time (Europe/Vienna)`, or `UTC`. */
function zoneName(timeZone: string, iso: string): string {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longGeneric' });
  const at = Date.parse(iso);
  const name = format.formatToParts(Number.isNaN(at) ? 0 : at).find(({ type }) => type === 'timeZoneName')?.value;
  return name === undefined || /^(Etc\/)?(UTC|GMT)$/.test(timeZone) ? timeZone : `${name} (${timeZone})`;
}

/** Returns the host name of the library: `media.example.org`. */
function hostOf(site: string): string {
  return /^https?:\/\/([^/?#]+)/.exec(site)?.[1] ?? site;
}

function isWebAddress(link: string | null): link is string {
  return link !== null && /^https?:\/\//.test(link);
}

/**
 * Escapes a text from any source. Control characters become blanks, and marks that change the direction of writing are removed,
 * so that a name can't change the display of the texts around it.
 */
function text(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is being removed
  const clean = value.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ').replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
  return escapeHtml(clean);
}
