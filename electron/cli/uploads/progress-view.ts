import type { UploadRow, UploadTotals } from '../../../shared/contract/uploads.ts';
import type { UploadState } from '../../../shared/model/uploads/upload-states.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Output } from '../output/output.ts';
import type { Screen } from '../output/screen.ts';
import { eachUpload } from './each-upload.ts';
import { changeLine, progressPicture, type RunTally, tally } from './progress-text.ts';

/** Shows the progress of uploads until `stop`. */
export interface ProgressView {
  /** Calls `write`, which writes lines, so that they stay above the progress. */
  above(write: () => void): void;
  stop(): Promise<void>;
}

const REDRAW_MS = 250;
const RECORD_MS = 1000;

/** Draws a bar and the active uploads on a terminal, and redraws them at the same position. */
export function drawOnScreen(engine: Engine, screen: Screen, start: UploadTotals): ProgressView {
  let drawing: Promise<void> = Promise.resolve();
  const draw = async () => {
    const [totals, active] = await Promise.all([
      engine.call('uploads.totals', null),
      engine.call('uploads.list', { filter: 'active', batchId: null, offset: 0, limit: 20 }),
    ]);
    const space = { ...screen.size(), nowMs: Date.now() };
    screen.draw(progressPicture(totals, tally(start.counts, totals.counts), active.rows, space));
  };
  const redraw = () => {
    // A failed redraw is skipped; the wait for the uploads reports its cause.
    drawing = drawing.then(draw).catch(() => undefined);
  };
  const timer = setInterval(redraw, REDRAW_MS);
  redraw();
  return {
    above(write) {
      drawing = drawing.then(() => {
        screen.clear();
        write();
      });
      redraw();
    },
    async stop() {
      clearInterval(timer);
      redraw();
      await drawing;
      screen.keep();
    },
  };
}

/** Prints a line, or with --json a record, for each change of state; with --json also the totals, once a second. */
export function printChanges(engine: Engine, output: Output, start: UploadTotals): ProgressView {
  const shown = new Map<string, UploadState>();
  let recordedAt = 0;
  const show = (row: UploadRow) => {
    if (shown.get(row.id) === row.state) return;
    shown.set(row.id, row.state);
    output.record({ upload: row });
    const line = changeLine(row, Date.now());
    if (line !== null && !output.quiet) output.line(line);
  };
  const unsubscribe = engine.on('onDidChangeUploads', ({ rows, totals }) => {
    for (const row of rows) show(row);
    if (Date.now() - recordedAt < RECORD_MS) return;
    recordedAt = Date.now();
    output.record({ progress: progressRecord(totals, tally(start.counts, totals.counts)) });
  });
  return {
    above: (write) => write(),
    async stop() {
      unsubscribe();
      // Change events come with a short delay, so the last ones may be missing.
      for await (const row of eachUpload(engine, { filter: 'all', batchId: null })) if (shown.has(row.id)) show(row);
    },
  };
}

function progressRecord(totals: UploadTotals, count: RunTally): Record<string, unknown> {
  const { sentBytes, totalBytes, bytesPerSecond, secondsLeft, paused, blockedBy } = totals;
  return { ...count, sentBytes, totalBytes, bytesPerSecond, secondsLeft, paused, blockedBy };
}
