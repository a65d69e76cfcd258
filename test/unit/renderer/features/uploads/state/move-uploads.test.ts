import { beforeEach, describe, expect, it } from 'vitest';
import { useMessages } from '../../../../../../renderer/features/common/state/messages-store.ts';
import { moveSelected, moveUploads } from '../../../../../../renderer/features/uploads/state/move-uploads.ts';
import {
  arrange,
  openTab,
  showRows,
  useOutline,
} from '../../../../../../renderer/features/uploads/state/outline/outline-store.ts';
import { useUploads } from '../../../../../../renderer/features/uploads/state/uploads-store.ts';
import type { ListedBatch, UploadRow } from '../../../../../../shared/contract/uploads.ts';
import { HeldBridge } from '../../../../../helpers/desktop/held-bridge.ts';

let bridge: HeldBridge;
beforeEach(() => {
  bridge = new HeldBridge();
  useMessages.setState({ messages: [] });
});

const row = (index: number, state: UploadRow['state'] = 'queued') =>
  ({ id: `u${index}`, batchId: 'b', fileName: `f${index}`, state }) as UploadRow;

/** Lists a batch whose first rows are loaded. */
async function open(rows: UploadRow[], total = rows.length): Promise<void> {
  const counts = { queued: total };
  const batch = { id: 'b', addedAt: 0, counts, duplicates: 0, listed: { counts, duplicates: 0 } };
  openTab('failed');
  useUploads.setState({ batches: [batch as unknown as ListedBatch], rows: new Map() });
  openTab('all');
  arrange();
  showRows(0, 5);
  await bridge.take('uploads.list').answer({ total, rows });
}

/** Returns the input of the move that the engine received. */
async function asked(work: Promise<void>) {
  const move = bridge.take('uploads.move');
  await move.answer({ changed: 1 });
  await work;
  return move.input;
}

const select = (ids: string[], at: number) =>
  useOutline.setState({ selected: new Set(ids), focus: { kind: 'upload', batchId: 'b', part: 'rows', at } });

describe('a move of uploads inside their batch', () => {
  const rows = [row(0), row(1), row(2)];

  it('to its end puts them behind its last row, before later batches', async () => {
    await open(rows);
    expect(await asked(moveUploads(['u0'], 'b', 3))).toEqual({ ids: ['u0'], before: null, after: 'u2' });
    expect(useMessages.getState().announced?.sentence).toBe('f0 moved behind f2.');
    bridge = new HeldBridge();
    await open(rows);
    select(['u1'], 1);
    expect(await asked(moveSelected(1))).toEqual({ ids: ['u1'], before: null, after: 'u2' });
  });

  it('to another position puts them before the row on which they were dropped', async () => {
    await open(rows);
    expect(await asked(moveUploads(['u2'], 'b', 0))).toEqual({ ids: ['u2'], before: 'u0' });
  });
});

describe('a selection with rows that are not loaded', () => {
  it('is moved with those rows, because the engine decides whether they can move', async () => {
    await open([row(10), row(11, 'complete'), row(12)], 500);
    const { ids } = await asked(moveUploads(['u10', 'u11', 'u12', 'u400'], 'b', 0));
    expect(ids).toEqual(['u10', 'u12', 'u400']);
  });

  it('is not moved by one place, and a warning is shown', async () => {
    await open([row(20), row(21)], 500);
    select(['u21', 'u499'], 1);
    await moveSelected(1);
    expect(bridge.waiting).not.toContain('uploads.move');
    expect(useMessages.getState().messages).toHaveLength(1);
  });
});
