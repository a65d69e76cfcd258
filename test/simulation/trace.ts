import type { History } from './history.ts';

type Add = (atMs: number, text: string) => void;

/** Formats a history as lines in the order of time, for debugging. */
export function traceOf(history: History): string[] {
  const lines: { atMs: number; text: string }[] = [];
  const add: Add = (atMs, text) => lines.push({ atMs, text });
  addScenario(history, add);
  addUploads(history, add);
  addDisk(history, add);
  for (const { atMs, event, text } of history.programFaults) add(atMs, `PROGRAM FAULT ${event} ${text}`);
  return lines
    .map((line, index) => ({ ...line, index }))
    .sort((a, b) => a.atMs - b.atMs || a.index - b.index)
    .map(({ atMs, text }) => `${(atMs / 1000).toFixed(3).padStart(12)}  ${text}`);
}

function addScenario(history: History, add: Add): void {
  for (const { number, fromMs, toMs } of history.lives) {
    add(fromMs, `program ${number} starts`);
    if (toMs !== null) add(toMs, `program ${number} has ended`);
  }
  for (const { kind, fromMs, toMs, site, rate } of history.scenario.faults) {
    add(fromMs, `fault begins: ${kind} (${rate}) at ${site ?? 'all sites'}`);
    add(toMs, `fault ends: ${kind}`);
  }
  for (const { kind, atMs, upload, amount } of history.scenario.events) add(atMs, `${kind} (${upload}, ${amount})`);
  for (const { kind, atMs, amount } of history.scenario.station?.events ?? []) add(atMs, `${kind} (${amount})`);
}

/** Rows of the queue, and what the service and the destinations received. */
function addUploads(history: History, add: Add): void {
  for (const { atMs, event, row } of history.rows) {
    const why = row.error === null ? '' : ` because ${row.error.code}`;
    const due = row.nextAttemptAt === null ? '' : ` until ${new Date(row.nextAttemptAt).toISOString()}`;
    const ids = `item ${row.mediaId ?? '-'} file ${row.fileId ?? '-'}`;
    add(atMs, `row ${row.id.slice(0, 8)} ${event} → ${row.state}${due}${why} [${ids}, retries ${row.retries}]`);
  }
  for (const { fromMs, toMs, number, method, path, result } of history.requests) {
    add(fromMs, `request ${number}: ${method} ${path}`);
    if (toMs !== null) add(toMs, `request ${number}: ${result}`);
  }
  for (const { atMs, kind, mediaId, fileId, text } of history.effects) {
    add(atMs, `service: ${kind} ${mediaId} ${fileId ?? ''} ${text}`);
  }
  for (const { fromMs, toMs, fileId, result, sentBytes } of history.transfers) {
    add(fromMs, `transfer to ${fileId} begins`);
    if (toMs !== null) add(toMs, `transfer to ${fileId}: ${result} after ${sentBytes} bytes`);
  }
}

function addDisk(history: History, add: Add): void {
  for (const { path, atMs, contents, sizeBytes } of history.versions) {
    add(atMs, `disk: ${path} is ${contents}, ${sizeBytes} bytes`);
  }
  for (const { atMs, path, identity } of history.places) add(atMs, `disk: ${identity} is at ${path ?? 'no place'}`);
  for (const { atMs, isPlugged } of history.drive) add(atMs, `the drive is ${isPlugged ? 'there' : 'pulled'}`);
  for (const { atMs, path, contents, sizeBytes, isFinished } of history.station?.states ?? []) {
    add(atMs, `disk: ${contents} ${isFinished ? 'finished ' : ''}is at ${path ?? 'no path'}, ${sizeBytes} bytes`);
  }
}
