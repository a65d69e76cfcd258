import type { Receipt, ReceiptLine } from '../contract/uploads.ts';

export interface HtmlReceiptOptions {
  /** The time zone for times shown beside UTC, for example `Europe/Vienna`. */
  timeZone: string;
}

/**
 * A receipt as one HTML page. It loads nothing, prints on A4 and letter, and escapes all untrusted text. Its content
 * policy forbids scripts, so that even an escaping bug could not run one.
 */
export function receiptToHtml(receipt: Receipt, { timeZone }: HtmlReceiptOptions): string {
  const { totals, lines } = receipt;
  const instant = instantWriter(timeZone);
  const sums = OUTCOMES.filter((outcome) => outcome !== 'asks' || totals.asks > 0)
    .map((outcome) => `<td class="${outcome}"><b>${totals[outcome]}</b> ${WORDS[outcome]}</td>`)
    .join('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>Upload receipt, ${text(receipt.collectionName)}, ${text(receipt.addedAt.slice(0, 10))}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>Upload receipt</h1>
<dl>
${fact('Library', receipt.site)}
${fact('Collection', `${receipt.collectionName} (${receipt.collectionId || 'not checked yet'})`)}
<dt>Added</dt><dd>${instant(receipt.addedAt)}</dd>
${fact('Batch', receipt.batchId)}
</dl>
<table class="totals"><tr><td><b>${totals.added}</b> added</td><td>=</td>${sums}</tr></table>
${draftsSentence(totals.unpublished)}<p>${bytes(totals.bytes)} of complete files are in the library. Times are ${text(timeZone)}, with UTC below.</p>
</header>
<table class="lines">
<thead><tr><th>Outcome</th><th>File and item</th><th>Size and SHA-256</th><th>Added and ended</th></tr></thead>
<tbody>
${lines.map((line) => row(line, instant)).join('\n')}
</tbody>
</table>
</body>
</html>
`;
}

const OUTCOMES = ['complete', 'failed', 'asks', 'cancelled', 'skipped', 'pending'] as const;

/** The outcomes as the page shows them. */
const WORDS: Readonly<Record<ReceiptLine['outcome'], string>> = {
  complete: 'complete',
  failed: 'failed',
  asks: 'needs decision',
  cancelled: 'cancelled',
  skipped: 'skipped',
  pending: 'pending',
};

function row(line: ReceiptLine, instant: (iso: string) => string): string {
  const { outcome, attempts, errorMessage, errorCode, link, mediaId, fileId } = line;
  const why =
    errorMessage === null ? '' : `<p class="why">${text(errorMessage)} <code>${text(errorCode ?? '')}</code></p>`;
  const tries = attempts > 1 ? `<p>${attempts} attempts</p>` : '';
  const title = `<b>${text(line.title)}</b>`;
  const item = isWebAddress(link) ? `<a href="${text(link)}" rel="noreferrer">${title}</a>` : title;
  const ids = [mediaId === null ? null : `item ${mediaId}`, fileId === null ? null : `file ${fileId}`];
  return `<tr><td class="${outcome}">${WORDS[outcome]}${tries}</td>
<td>${item}<p>${text(line.fileName)}</p><p class="path">${text(line.path)}</p>${why}${followUps(line)}</td>
<td>${bytes(line.sizeBytes)}<p><code>${text(line.sha256 ?? '')}</code></p><p><code>${text(ids.filter(Boolean).join(', '))}</code></p></td>
<td>${instant(line.addedAt)}${line.endedAt === null ? '' : `<br>${instant(line.endedAt)}`}</td></tr>`;
}

const KIND_WORDS = {
  captions: 'Captions',
  thumbnail: 'Thumbnail',
  tags: 'Tags',
  publish: 'Publication',
  source: 'Local file',
} as const;

/** Complete uploads that are still drafts: shown beside the outcomes and not added to their sum. */
function draftsSentence(count: number): string {
  if (count === 0) return '';
  const files = count === 1 ? '1 complete file arrived' : `${count} complete files arrived`;
  return `<p class="why">${files} as a draft: publishing was refused.</p>\n`;
}

function followUps({ followUps: all }: ReceiptLine): string {
  if (all.length === 0) return '';
  const items = all.map(({ kind, state, fileName, error }) => {
    const why = error === null ? '' : `: ${text(error.message)}`;
    return `<li class="${state}">${KIND_WORDS[kind]} ${text(fileName)} ${state}${why}</li>`;
  });
  return `<ul>${items.join('')}</ul>`;
}

const fact = (name: string, value: string) => `<dt>${name}</dt><dd>${text(value)}</dd>`;

/** Returns the exact and the rounded size. */
function bytes(count: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let value = count;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit += 1) value /= 1000;
  const exact = `${count.toLocaleString('en')} bytes`;
  return unit === 0 ? exact : `${value.toFixed(1)} ${units[unit]} <small>(${exact})</small>`;
}

function instantWriter(timeZone: string): (iso: string) => string {
  const format = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return (iso) => {
    const at = Date.parse(iso);
    const local = Number.isNaN(at) ? iso : format.format(at);
    return `<time datetime="${text(iso)}">${text(local)}<small>${text(iso)}</small></time>`;
  };
}

function isWebAddress(link: string | null): link is string {
  return link !== null && /^https?:\/\//.test(link);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Escapes untrusted text. Control characters become blanks. Marks that change the writing direction are removed, so
 * that a name cannot change how the text around it is shown.
 */
function text(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is being removed
  const clean = value.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ').replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
  return clean.replace(/[&<>"']/g, (letter) => ESCAPES[letter] ?? letter);
}

const STYLE = `
:root{color-scheme:light;font:10pt/1.4 system-ui,sans-serif;color:#1a1c20}
body{margin:2rem auto;max-width:75rem;padding:0 1rem}
h1{font-size:1.5rem;margin:0 0 .5rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:0 0 1rem}
dt{color:#5b6270}dd{margin:0}
table{border-collapse:collapse}
.totals td{padding:.2rem .8rem .2rem 0}
.lines{width:100%}
.lines th,.lines td{border-top:1px solid #d5d9e0;padding:.4rem .6rem .4rem 0;text-align:left;vertical-align:top;unicode-bidi:isolate}
thead{display:table-header-group}
tr{break-inside:avoid}
p,ul{margin:.1rem 0}ul{padding-left:1.1rem}
code{font:8pt ui-monospace,monospace;overflow-wrap:anywhere}
small{display:block;color:#5b6270;font-size:8pt}
.path{color:#5b6270;overflow-wrap:anywhere}
.failed,.why{color:#a11a1a}.asks{color:#7a4b00}.complete,.done{color:#14602f}.pending,.cancelled,.skipped{color:#5b6270}
@media print{body{margin:0;max-width:none;padding:0}a{color:inherit;text-decoration:none}}
`;
