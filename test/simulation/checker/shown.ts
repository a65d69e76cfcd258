import { isEnded, UPLOAD_STATES } from '../../../shared/model/uploads/upload-states.ts';
import type { History } from '../history.ts';

/** The shown progress never exceeds the size of the file or the number of sent bytes. */
export function progressIsTrue({ shown, transfers, rows }: History): string[] {
  const problems: string[] = [];
  const files = new Map<string, Set<string>>();
  for (const { row } of rows) {
    if (row.fileId !== null) files.set(row.id, (files.get(row.id) ?? new Set()).add(row.fileId));
  }
  for (const { totals, rows: shownRows, atMs } of shown) {
    if (totals.sentBytes > totals.totalBytes)
      problems.push(`at ${atMs}: ${totals.sentBytes} of ${totals.totalBytes} sent`);
    for (const row of shownRows) {
      if (row.sentBytes > row.sizeBytes) problems.push(`at ${atMs}: ${row.id} shows more bytes than it has`);
      if (row.sentBytes === 0 || row.state !== 'sending') continue;
      const known = files.get(row.id);
      const most = Math.max(
        0,
        ...transfers.filter(({ fileId }) => known?.has(fileId)).map(({ sentBytes }) => sentBytes),
      );
      if (row.sentBytes > most) problems.push(`at ${atMs}: ${row.id} shows bytes that the wire did not take`);
    }
  }
  return problems;
}

/** The counts on screens equal the stored rows. */
export function totalsAddUp({ shown }: History): string[] {
  return shown.flatMap(({ atMs, totals, stored }) =>
    UPLOAD_STATES.filter((state) => totals.counts[state] !== (stored[state] ?? 0)).map(
      (state) => `at ${atMs}: ${totals.counts[state]} ${state} shown, ${stored[state] ?? 0} stored`,
    ),
  );
}

/** added = complete + failed + asks + cancelled + skipped + pending, cleared rows included. No open row is cleared from lists. */
export function receiptsAddUp({ final }: History): string[] {
  const problems = final.receipts
    .filter((one) => one.added !== one.complete + one.failed + one.asks + one.cancelled + one.skipped + one.pending)
    .map((one) => `a receipt does not add up: ${JSON.stringify(one)}`);
  const hidden = final.rows.filter(({ clearedAt, state }) => clearedAt !== null && !isEnded(state));
  problems.push(...hidden.map(({ id, state }) => `${id} is ${state}, but not listed`));
  const added = final.receipts.reduce((sum, one) => sum + one.added, 0);
  return added === final.rows.length
    ? problems
    : [...problems, `${added} in receipts, ${final.rows.length} in the queue`];
}
