import type { UploadRow } from '../../../shared/contract/uploads.ts';
import type { ItemReport } from '../server/report.ts';
import { type UnusualCase, USUAL_FILES } from './case.ts';
import type { Outcome } from './outcome.ts';

/** The maximum number of bytes that a destination receives in addition to the bytes of a file: the rest of its form. */
const FRAME_BYTES = 8_000;

/** Returns the violations in an outcome, as sentences; empty when it is as expected. */
export function judge(each: UnusualCase, outcome: Outcome): string[] {
  const wrong: string[] = [...outcome.library.faults.map((fault) => `The server itself failed: ${fault}`)];
  if (outcome.unfinished !== null) wrong.push(outcome.unfinished);
  const files = (each.files ?? USUAL_FILES).filter(({ goesAlong }) => !goesAlong);
  if (outcome.rows.length !== files.length) wrong.push(`${outcome.rows.length} rows for ${files.length} files.`);
  const asking = outcome.rows.filter(({ state, error }) => state === 'failed' && error?.code === 'upload.may-exist');
  const { asks = 0 } = each.expect ?? {};
  if (asking.length !== asks) wrong.push(`${asking.length} rows ask about their item, not ${asks}.`);
  for (const row of outcome.rows) if (asks === 0 || !asking.includes(row)) wrong.push(...judgeRow(each, row, outcome));
  wrong.push(...judgeLibrary(each, outcome), ...judgeCost(each, outcome));
  const also = each.expect?.also?.(outcome);
  if (also !== undefined) wrong.push(also);
  return wrong;
}

function judgeRow({ expect = {} }: UnusualCase, row: UploadRow, { hashes, library }: Outcome): string[] {
  const wrong: string[] = [];
  const state = expect.fails === undefined ? 'complete' : 'failed';
  const code = row.error?.code ?? null;
  if (row.state !== state || code !== (expect.fails ?? null)) {
    wrong.push(`${row.fileName} is ${row.state}, not ${state}: ${JSON.stringify(row.error)}`);
  }
  const drafts = row.followUps.filter(({ kind, error }) => String(kind) === 'publish' && error !== null);
  if (drafts.length > 0 !== (expect.publicationRefused === true)) {
    wrong.push(`${row.fileName} shows ${drafts.length} refused publications: ${JSON.stringify(row.followUps)}`);
  }
  if (row.attempts > (expect.retries ?? 0)) wrong.push(`${row.fileName} used up ${row.attempts} retries.`);
  if (expect.fails !== undefined) return wrong;
  const sha256 = hashes.get(row.path);
  const own = library.items.filter(({ files }) => files.some((file) => file.sha256 === sha256));
  if (own.length !== 1) return [...wrong, `${row.fileName} is in ${own.length} items.`];
  const [item] = own;
  if (item !== undefined) wrong.push(...judgeItem(expect, row, item, sha256));
  return wrong;
}

function judgeItem(
  expect: NonNullable<UnusualCase['expect']>,
  row: UploadRow,
  item: ItemReport,
  sha256: string | undefined,
): string[] {
  const wrong: string[] = [];
  const originals = item.files.filter(({ encodedFromId }) => encodedFromId === null);
  const good = originals.filter((file) => file.sha256 === sha256);
  if (good.length !== 1) wrong.push(`The item of ${row.fileName} has ${good.length} files with its bytes.`);
  if (originals.length - good.length > (expect.leftovers ?? 0)) {
    wrong.push(`The item of ${row.fileName} has ${originals.length - good.length} other files.`);
  }
  if (row.sha256 !== sha256) wrong.push(`The row of ${row.fileName} shows the hash ${row.sha256}.`);
  if (row.mediaId !== item.id) wrong.push(`The row of ${row.fileName} names item ${row.mediaId}, not ${item.id}.`);
  const title = expect.title?.(row.title) ?? row.title;
  if (item.title !== title) wrong.push(`The item of ${row.fileName} has the title ${JSON.stringify(item.title)}.`);
  const status = expect.itemStatus ?? 'draft';
  if (item.status !== status) wrong.push(`The item of ${row.fileName} is ${item.status}, not ${status}.`);
  const [file] = good;
  if (file !== undefined && file.sentName !== row.fileName) wrong.push(`The form named the file ${file.sentName}.`);
  if (row.fileId !== file?.id) wrong.push(`The row of ${row.fileName} names file ${row.fileId}, not ${file?.id}.`);
  return wrong;
}

function judgeLibrary({ expect = {} }: UnusualCase, { rows, library }: Outcome): string[] {
  const { items } = library;
  const allowed = rows.length;
  const isWrong = expect.fails === undefined ? items.length !== allowed : items.length > allowed;
  if (!isWrong) return [];
  const shown = items
    .map(({ id, title, files }) => `${id} ${JSON.stringify(title)} (${files.length} files)`)
    .join(', ');
  return [`The library has ${items.length} items for ${allowed} files: ${shown}`];
}

function judgeCost(each: UnusualCase, { rows, library, beforeUpload }: Outcome): string[] {
  const { expect = {}, files = USUAL_FILES } = each;
  const wrong: string[] = [];
  for (const { host, route, path, hasToken } of library.exchanges) {
    if (hasToken && host !== 'site') wrong.push(`A token went to another origin (${host}, ${route} ${path}).`);
  }
  const exchanges = library.exchanges.slice(beforeUpload);
  const forms = exchanges.filter(({ route }) => route === 'destination');
  const mostForms = (expect.forms ?? 1) * rows.length;
  if (forms.length > mostForms) wrong.push(`${forms.length} forms were sent for ${rows.length} files.`);
  const sent = forms.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0);
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const mostBytes = (expect.bytes ?? expect.forms ?? 1) * total + forms.length * FRAME_BYTES;
  if (sent > mostBytes) wrong.push(`${sent} bytes were sent for files of ${total} bytes.`);
  const requests = exchanges.length - forms.length;
  const mostRequests = expect.requests ?? usualRequests(rows.length);
  if (requests > mostRequests) wrong.push(`${requests} requests were made; ${mostRequests} are enough.`);
  return wrong;
}

/** An item, a placeholder, a notification and polls of the processing for each file, and some for all together. */
function usualRequests(files: number): number {
  return 10 + 8 * files;
}
