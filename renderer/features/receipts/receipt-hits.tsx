import { ReceiptText, SearchX } from 'lucide-react';
import { Button } from '../../kit/components/button.tsx';
import { Cell } from '../../kit/components/list/cell.tsx';
import { WindowedGrid } from '../../kit/components/list/windowed-grid.tsx';
import { type MenuEntry, RowButton, RowMenu } from '../../kit/components/overlay/menu.tsx';
import { EmptyState } from '../../kit/components/status/empty-state.tsx';
import { StateChip } from '../../kit/components/status/state-chip.tsx';
import { formatBytes, formatDateTime, formatUtc } from '../../kit/text/format.ts';
import { shownName } from '../../kit/text/shown-name.ts';
import { openWebPage } from '../common/commands/commands.ts';
import { copyHashEntry, folderEntry, webPageEntry } from '../common/menus.tsx';
import { LoadingCell } from './receipt-line.tsx';
import { outcomeLook } from './receipt-text.ts';
import styles from './receipts-view.module.css';
import { openReceipt, type ReceiptHit, receiptHits, searchReceipts, useReceiptSearch } from './state/receipts-store.ts';
import { texts } from './texts.ts';

const ROW_HEIGHT = 42;

const renderRow = (index: number) => <Hit hit={receiptHits.rowAt(index)} />;

function openHit(hit: ReceiptHit | undefined): void {
  if (hit === undefined) return;
  searchReceipts('');
  openReceipt(hit.batchId);
}

/** The files of all receipts that match the search text. */
export function ReceiptHitList() {
  const text = useReceiptSearch((state) => state.text);
  const total = receiptHits.useList((state) => state.total);
  return (
    <div className={styles.lines}>
      <p className={styles.hitCount}>{total === null ? texts.searching : texts.found(total)}</p>
      <WindowedGrid
        list={receiptHits}
        label={texts.foundFiles}
        rowHeight={ROW_HEIGHT}
        rowClass={styles.hitRow}
        columnCount={5}
        isSingle
        onActivate={(index) => openHit(receiptHits.rowAt(index))}
        renderRow={renderRow}
        errorTitle={texts.notSearched}
        empty={
          <EmptyState icon={SearchX} title={texts.nothingFound(text.trim())} text={texts.nothingFoundHint}>
            <Button onPress={() => searchReceipts('')}>{texts.clearSearch}</Button>
          </EmptyState>
        }
      />
    </div>
  );
}

function Hit({ hit }: { hit: ReceiptHit | undefined }) {
  if (hit === undefined) return <LoadingCell />;
  const { line } = hit;
  return (
    <>
      <Cell>
        <StateChip look={outcomeLook(line.outcome)} state={line.outcome} />
      </Cell>
      <Cell className={styles.file} title={line.path}>
        <span className={styles.fileName}>{shownName(line.fileName)}</span>
        <span className={styles.when}>{line.errorMessage ?? line.title}</span>
      </Cell>
      <Cell className={styles.file} title={`${formatDateTime(line.addedAt)} (${formatUtc(line.addedAt)})`}>
        <span>{hit.collectionName}</span>
        <span className={styles.when}>
          {texts.batchPlace(formatDateTime(line.addedAt), hit.site.replace(/^https?:\/\//, ''))}
        </span>
      </Cell>
      <Cell className={styles.number}>{formatBytes(line.sizeBytes)}</Cell>
      <Cell className={styles.actions}>
        <RowButton label={texts.openReceiptOf(line.fileName)} onClick={() => openHit(hit)}>
          <ReceiptText size={14} aria-hidden />
        </RowButton>
        <RowMenu
          rowId={line.uploadId}
          label={texts.more(line.fileName)}
          groups={() => [{ entries: entriesFor(hit) }]}
        />
      </Cell>
    </>
  );
}

function entriesFor(hit: ReceiptHit): MenuEntry[] {
  const { link, path, sha256 } = hit.line;
  return [
    {
      id: 'receipt',
      label: texts.openReceipt,
      icon: <ReceiptText size={14} aria-hidden />,
      onAction: () => openHit(hit),
    },
    ...(link === null ? [] : [webPageEntry(() => openWebPage(link))]),
    ...(sha256 === null ? [] : [copyHashEntry(sha256)]),
    folderEntry(path),
  ];
}
