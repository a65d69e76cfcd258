import { useCallback, useMemo } from 'react';
import type { Batch } from '../../../shared/contract/uploads.ts';
import { uploadOutcomes } from '../../../shared/model/uploads/upload-counts.ts';
import { Cell } from '../../kit/components/list/cell.tsx';
import { VirtualGrid } from '../../kit/components/list/virtual-grid.tsx';
import { StateChip } from '../../kit/components/status/state-chip.tsx';
import type { Selection } from '../../kit/lists/selection.ts';
import { formatBytes, formatDateTime } from '../../kit/text/format.ts';
import { targetLabel } from '../../kit/text/upload-text.ts';
import { batchLook } from './receipt-text.ts';
import styles from './receipts-view.module.css';
import { openReceipt, selectReceipt, showBatches, useReceipts } from './state/receipts-store.ts';
import { texts } from './texts.ts';

const ROW_HEIGHT = 56;

/** The batches, the newest first. */
export function BatchList({ batches }: { batches: readonly Batch[] }) {
  const batchId = useReceipts((state) => state.batchId);
  const focus = batches.findIndex((batch) => batch.id === batchId);
  const selection = useMemo<Selection>(
    () => ({ ids: new Set(batchId === null ? [] : [batchId]), focus, anchor: focus }),
    [batchId, focus],
  );
  const idAt = useCallback((index: number) => batches[index]?.id, [batches]);
  const onSelect = useCallback(
    (next: Selection) => {
      const batch = batches[next.focus];
      if (batch !== undefined) selectReceipt(batch.id);
    },
    [batches],
  );
  return (
    <div className={styles.batches}>
      <VirtualGrid
        label={texts.batches}
        total={batches.length}
        rowHeight={ROW_HEIGHT}
        columnCount={3}
        listKey="batches"
        idAt={idAt}
        selection={selection}
        isSingle
        onSelect={onSelect}
        onActivate={(index) => activate(batches[index])}
        onShow={showDownTo}
        onReach={nothingToLoad}
        renderRow={(index) => <BatchRow batch={batches[index]} />}
      />
    </div>
  );
}

/** Opens the receipt and moves the keyboard focus to its files, for Enter. */
function activate(batch: Batch | undefined): void {
  if (batch === undefined) return;
  openReceipt(batch.id);
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-receipt] [role="grid"]')?.focus());
}

const showDownTo = (_first: number, last: number) => showBatches(last);
const nothingToLoad = () => Promise.resolve();

function BatchRow({ batch }: { batch: Batch | undefined }) {
  if (batch === undefined) return null;
  const totals = uploadOutcomes(batch);
  const look = batchLook(totals);
  const { folderName, addedAt, totalBytes } = batch;
  const facts = texts.batchFacts(folderName, formatDateTime(addedAt), totals.added, formatBytes(totalBytes));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the row of the grid is the element with the role
    <div className={styles.batch} role="presentation" data-batch-id={batch.id} onClick={() => openReceipt(batch.id)}>
      <Cell className={styles.name}>{targetLabel(batch)}</Cell>
      <Cell>
        <StateChip look={look} state={look.icon} />
      </Cell>
      <Cell className={styles.when} title={facts}>
        {facts}
      </Cell>
    </div>
  );
}
