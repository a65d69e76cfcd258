import { beforeEach, describe, expect, it } from 'vitest';
import { useMessages } from '../../../../renderer/stores/app/messages-store.ts';
import { moveSelected, moveUploads } from '../../../../renderer/stores/uploads/move-uploads.ts';
import { openUploads, uploadsList } from '../../../../renderer/stores/uploads/uploads-store.ts';
import type { UploadFilter, UploadRow } from '../../../../shared/contract/uploads.ts';
import { HeldBridge } from '../../../helpers/held-bridge.ts';

let bridge: HeldBridge;
beforeEach(() => {
  bridge = new HeldBridge();
  useMessages.setState({ messages: [] });
});

const row = (index: number, state: UploadRow['state'] = 'queued') =>
  ({ id: `u${index}`, fileName: `f${index}`, state }) as UploadRow;

/** Opens a list whose first rows are loaded. */
async function open(filter: UploadFilter, batchId: string | null, rows: UploadRow[], total = rows.length) {
  openUploads(filter, batchId);
  await bridge.take('uploads.list').answer({ total, rows });
}

/** What the engine was asked to move. */
async function asked(work: Promise<void>) {
  const move = bridge.take('uploads.move');
  await move.answer({ changed: 1 });
  await work;
  return move.input;
}

const select = (ids: string[], focus: number) => uploadsList.select({ ids: new Set(ids), focus, anchor: focus });

describe('moving uploads to the bottom of a list', () => {
  const rows = [row(0), row(1), row(2)];

  it('puts them at the end of the queue in the list of everything', async () => {
    await open('all', null, rows);
    expect(await asked(moveUploads(['u0'], 3))).toEqual({ ids: ['u0'], before: null });
  });

  it.each([
    ['all', 'b'],
    ['waiting', null],
  ] as const)(
    'puts them behind its last row where more may follow that is not shown (%s, %s)',
    async (filter, batch) => {
      await open(filter, batch, rows);
      expect(await asked(moveUploads(['u0'], 3))).toEqual({ ids: ['u0'], before: null, after: 'u2' });
      expect(useMessages.getState().spoken).toBe('f0 moved behind f2.');
      bridge = new HeldBridge();
      await open(filter, batch, rows);
      select(['u1'], 1);
      expect(await asked(moveSelected(1))).toEqual({ ids: ['u1'], before: null, after: 'u2' });
    },
  );

  it('puts them in front of the row that they were let go of at anywhere else', async () => {
    await open('waiting', null, rows);
    expect(await asked(moveUploads(['u2'], 0))).toEqual({ ids: ['u2'], before: 'u0' });
  });
});

describe('a selection that reaches beyond what was looked at', () => {
  it('goes along as a whole: of rows that were never seen the engine knows whether they can move', async () => {
    await open('all', null, [row(10), row(11, 'complete'), row(12)], 500);
    const { ids } = await asked(moveUploads(['u10', 'u11', 'u12', 'u400'], 0));
    expect(ids).toEqual(['u10', 'u12', 'u400']);
  });

  it('is not moved by one place, which nobody could tell, and that is said', async () => {
    await open('all', null, [row(20), row(21)], 500);
    select(['u21', 'u499'], 1);
    await moveSelected(1);
    expect(bridge.waiting).not.toContain('uploads.move');
    expect(useMessages.getState().messages).toHaveLength(1);
  });
});
