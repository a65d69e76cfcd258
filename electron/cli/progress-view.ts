import type { UploadRow, UploadTotals } from '../../shared/contract/uploads.ts';
import type { UploadState } from '../../shared/model/upload-states.ts';
import type { Engine } from '../engine/engine.ts';
import { eachUpload } from './each-upload.ts';
import type { Output } from './output.ts';
import { changeLine, progressPicture, type Tally, tally } from './progress-text.ts';

/** A way of showing how uploads go on, from `start` to `stop`. */
export interface ProgressView {
  stop(): Promise<void>;
}

const REDRAW_MS = 250;
const RECORD_MS = 1000;

/** Draws a bar and the uploads at work on a terminal, over and over in the same place. */
export function drawOnTerminal(engine: Engine, terminal: NodeJS.WriteStream, start: UploadTotals): ProgressView {
  let drawnLines = 0;
  let drawing: Promise<void> = Promise.resolve();
  const draw = async () => {
    const [totals, active] = await Promise.all([
      engine.call('uploads.totals', null),
      engine.call('uploads.list', { filter: 'active', batchId: null, offset: 0, limit: 20 }),
    ]);
    const screen = { columns: terminal.columns ?? 80, rows: terminal.rows ?? 24, nowMs: Date.now() };
    const lines = progressPicture(totals, tally(start.counts, totals.counts), active.rows, screen);
    // Up to the first line of the picture before, each line cleared to its end, and the rest of the screen cleared.
    const up = drawnLines > 1 ? `\u001b[${drawnLines - 1}A` : '';
    terminal.write(`${up}\r${lines.map((line) => `${line}\u001b[K`).join('\n')}\u001b[J`);
    drawnLines = lines.length;
  };
  const redraw = () => {
    // A picture that can't be had is skipped; what is wrong shows where the uploads are waited for.
    drawing = drawing.then(draw).catch(() => undefined);
  };
  const timer = setInterval(redraw, REDRAW_MS);
  redraw();
  return {
    async stop() {
      clearInterval(timer);
      redraw();
      await drawing;
      if (drawnLines > 0) terminal.write('\n');
    },
  };
}

/** A line, or with --json a record, for each change of state; with --json also the totals, once a second. */
export function printChanges(engine: Engine, output: Output, start: UploadTotals): ProgressView {
  const shown = new Map<string, UploadState>();
  let recordedAt = 0;
  const show = (row: UploadRow) => {
    if (shown.get(row.id) === row.state) return;
    shown.set(row.id, row.state);
    output.record({ upload: row });
    const line = changeLine(row, Date.now());
    if (line !== null) output.line(line);
  };
  const unsubscribe = engine.on('onDidChangeUploads', ({ rows, totals }) => {
    for (const row of rows) show(row);
    if (Date.now() - recordedAt < RECORD_MS) return;
    recordedAt = Date.now();
    output.record({ progress: progressRecord(totals, tally(start.counts, totals.counts)) });
  });
  return {
    async stop() {
      unsubscribe();
      // Changes are announced with a short delay, so the last ones may still be unsaid.
      for await (const row of eachUpload(engine, { filter: 'all', batchId: null })) if (shown.has(row.id)) show(row);
    },
  };
}

function progressRecord(totals: UploadTotals, count: Tally): Record<string, unknown> {
  const { sentBytes, totalBytes, bytesPerSecond, secondsLeft, paused, blockedBy } = totals;
  return { ...count, sentBytes, totalBytes, bytesPerSecond, secondsLeft, paused, blockedBy };
}
