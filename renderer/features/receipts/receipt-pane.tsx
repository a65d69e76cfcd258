import { ArrowLeft, ChevronDown, Download, Inbox, ListFilter } from 'lucide-react';
import { Fragment } from 'react';
import type { Batch, UploadFilter } from '../../../shared/contract/uploads.ts';
import { type UploadOutcomes, uploadOutcomes } from '../../../shared/model/uploads/upload-counts.ts';
import { Button, IconButton } from '../../kit/components/button.tsx';
import { WindowedGrid } from '../../kit/components/list/windowed-grid.tsx';
import { ActionMenu } from '../../kit/components/overlay/menu.tsx';
import { EmptyState } from '../../kit/components/status/empty-state.tsx';
import { commandItem, OverflowToolbar, selectToolbarItem } from '../../kit/components/toolbar/overflow-toolbar.tsx';
import { formatBytes, formatCount, formatDateTime, formatUtc } from '../../kit/text/format.ts';
import { targetLabel } from '../../kit/text/upload-text.ts';
import { showView, useApp } from '../common/state/app-store.ts';
import { showBatch } from '../uploads/state/load-uploads.ts';
import { ReceiptHead, ReceiptLineView } from './receipt-line.tsx';
import { totalsSentence } from './receipt-text.ts';
import styles from './receipts-view.module.css';
import {
  closeReceipt,
  openReceipt,
  receiptLines,
  refreshReceipts,
  saveReceipt,
  useReceipts,
} from './state/receipts-store.ts';
import { texts } from './texts.ts';

const ROW_HEIGHT = 38;

const renderRow = (index: number) => <ReceiptLineView row={receiptLines.rowAt(index)} />;

const FILTERS: readonly { value: UploadFilter; label: string }[] = [
  { value: 'all', label: texts.filters.all },
  { value: 'complete', label: texts.filters.complete },
  { value: 'needs-decision', label: texts.filters.needsDecision },
  { value: 'failed', label: texts.filters.failed },
  { value: 'active', label: texts.filters.active },
  { value: 'waiting', label: texts.filters.waiting },
];

/** The receipt of the open batch. */
export function ReceiptPane() {
  const batch = useReceipts((state) => state.batch);
  const filter = useReceipts((state) => state.filter);
  if (batch === null) return null;
  return (
    <section className={styles.receipt} aria-label={texts.receiptOf(batch.collectionName)} data-receipt>
      <header className={styles.head}>
        <div className={styles.headLine}>
          <span className={styles.back}>
            <IconButton label={texts.back} onPress={backToBatches}>
              <ArrowLeft size={16} />
            </IconButton>
          </span>
          <h2 className={styles.receiptTitle}>{targetLabel(batch)}</h2>
          <OverflowToolbar
            label={texts.toolbar}
            align="end"
            items={[
              selectToolbarItem({
                id: 'filter',
                label: texts.filter,
                value: filter,
                restValue: 'all',
                options: FILTERS,
                onChange: (value) => openReceipt(batch.id, value),
              }),
              commandItem({
                id: 'uploads',
                label: texts.showInUploads,
                icon: <ListFilter size={14} aria-hidden />,
                onAction: () => {
                  showBatch(batch.id);
                  showView('uploads');
                },
              }),
            ]}
          />
          <SaveMenu batchId={batch.id} />
        </div>
        <Facts batch={batch} />
        <Totals totals={uploadOutcomes(batch)} />
      </header>
      <Lines batch={batch} />
    </section>
  );
}

/** In a narrow window: shows the batches instead of the receipt. */
function backToBatches(): void {
  closeReceipt();
  requestAnimationFrame(() => document.querySelector<HTMLElement>('main [role="grid"]')?.focus());
}

function Facts({ batch }: { batch: Batch }) {
  const site = useApp((state) => state.sites.find((candidate) => candidate.id === batch.siteId));
  return (
    <p className={styles.facts}>
      {batch.folderName === null ? null : <span title={texts.folder}>{batch.folderName}</span>}
      <time dateTime={new Date(batch.addedAt).toISOString()} title={formatUtc(batch.addedAt)}>
        {texts.added(formatDateTime(batch.addedAt))}
      </time>
      {site === undefined ? null : <span>{texts.addedTo(site.displayName, site.accountName)}</span>}
      <span>{formatBytes(batch.totalBytes)}</span>
    </p>
  );
}

const PARTS = ['complete', 'failed', 'needsDecision', 'cancelled', 'skipped', 'pending'] as const;

/** The counts as a sum: added = complete + failed + … */
function Totals({ totals }: { totals: UploadOutcomes }) {
  return (
    <div className={styles.sum} role="img" aria-label={totalsSentence(totals)} data-testid="receipt-totals">
      <Term count={totals.added} outcome="added" />
      {PARTS.filter((part) => part !== 'needsDecision' || totals.needsDecision > 0).map((part, index) => (
        <Fragment key={part}>
          <span className={styles.sign}>{index === 0 ? '=' : '+'}</span>
          <Term count={totals[part]} outcome={part} />
        </Fragment>
      ))}
    </div>
  );
}

function Term({ count, outcome }: { count: number; outcome: keyof UploadOutcomes }) {
  return (
    <span className={styles.term} data-outcome={outcome} data-zero={count === 0 ? '' : undefined}>
      <b>{formatCount(count)}</b> {texts.outcomes[outcome]}
    </span>
  );
}

function Lines({ batch }: { batch: Batch }) {
  return (
    <div className={styles.lines}>
      <WindowedGrid
        list={receiptLines}
        label={texts.files}
        rowHeight={ROW_HEIGHT}
        rowClass={styles.lineRow}
        columnCount={6}
        head={<ReceiptHead />}
        isSingle
        renderRow={renderRow}
        errorTitle={texts.fileNotLoaded}
        onRetry={refreshReceipts}
        empty={
          <EmptyState icon={Inbox} title={texts.noMatch} text={texts.noMatchHint}>
            <Button onPress={() => openReceipt(batch.id)}>{texts.showAll}</Button>
          </EmptyState>
        }
      />
    </div>
  );
}

const FORMATS = ['html', 'csv', 'json'] as const;

function SaveMenu({ batchId }: { batchId: string }) {
  return (
    <ActionMenu
      label={texts.save}
      placement="bottom end"
      groups={[
        {
          entries: FORMATS.map((format) => ({
            id: format,
            label: texts.formats[format],
            onAction: () => void saveReceipt(batchId, format),
          })),
        },
      ]}
    >
      <Button variant="primary" icon={<Download size={14} aria-hidden />}>
        {texts.save} <ChevronDown size={12} aria-hidden />
      </Button>
    </ActionMenu>
  );
}
