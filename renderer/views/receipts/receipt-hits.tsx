import { ExternalLink, FolderSearch, ReceiptText, SearchX } from 'lucide-react';
import { call } from '../../bridge/bridge.ts';
import { copyText } from '../../bridge/copy-text.ts';
import { Button } from '../../components/button.tsx';
import { Cell } from '../../components/list/cell.tsx';
import { VirtualGrid } from '../../components/list/virtual-grid.tsx';
import { type MenuEntry, RowButton, RowMenu } from '../../components/overlay/menu.tsx';
import { EmptyState, ErrorState } from '../../components/status/empty-state.tsx';
import { StateChip } from '../../components/status/state-chip.tsx';
import { attempt } from '../../stores/app/messages-store.ts';
import {
  hitAt,
  hitIdAt,
  loadHitRange,
  type ReceiptHit,
  retrySearch,
  searchReceipts,
  selectHit,
  showHits,
  useReceiptSearch,
} from '../../stores/receipts/receipt-search-store.ts';
import { openReceipt } from '../../stores/receipts/receipts-store.ts';
import { counted, formatBytes, formatDateTime, formatUtc } from '../../text/format.ts';
import { outcomeLook } from './receipt-text.ts';
import styles from './receipts-view.module.css';

const ROW_HEIGHT = 42;

const renderRow = (index: number) => <Hit hit={hitAt(index)} />;

function openHit(hit: ReceiptHit | undefined): void {
  if (hit === undefined) return;
  searchReceipts('');
  openReceipt(hit.batchId);
}

/** Files of all receipts that match what was typed. */
export function ReceiptHitList() {
  const text = useReceiptSearch((state) => state.text);
  const total = useReceiptSearch((state) => state.total);
  const error = useReceiptSearch((state) => state.error);
  const selection = useReceiptSearch((state) => state.selection);
  // Cached lines are no state of React: this number tells that they changed.
  useReceiptSearch((state) => state.version);
  return (
    <div className={styles.lines}>
      <p className={styles.hitCount}>{total === null ? 'Looking through all receipts…' : counted(total, 'file')}</p>
      <VirtualGrid
        label="Files found"
        total={total ?? 0}
        rowHeight={ROW_HEIGHT}
        rowClass={styles.hitRow}
        columnCount={5}
        listKey={text}
        idAt={hitIdAt}
        selection={selection}
        isSingle
        onSelect={selectHit}
        onShow={showHits}
        onReach={loadHitRange}
        onActivate={(index) => openHit(hitAt(index))}
        renderRow={renderRow}
      />
      {total === null && error !== null ? (
        <div className={styles.cover}>
          <ErrorState title="The receipts could not be searched" error={error} onRetry={retrySearch} />
        </div>
      ) : null}
      {total === 0 ? (
        <div className={styles.cover}>
          <EmptyState
            icon={SearchX}
            title={`No file found for “${text.trim()}”`}
            text="The search looks at file names, titles, ids and the beginning of SHA-256 sums, in all receipts."
          >
            <Button onPress={() => searchReceipts('')}>Clear the search</Button>
          </EmptyState>
        </div>
      ) : null}
    </div>
  );
}

function Hit({ hit }: { hit: ReceiptHit | undefined }) {
  if (hit === undefined) {
    return (
      <Cell>
        <span className="visually-hidden">Loading</span>
        <span className={styles.bone} />
      </Cell>
    );
  }
  const { line } = hit;
  return (
    <>
      <Cell>
        <StateChip look={outcomeLook(line.outcome)} state={line.outcome} />
      </Cell>
      <Cell className={styles.file} title={line.path}>
        <span className={styles.fileName}>{line.fileName}</span>
        <span className={styles.when}>{line.errorMessage ?? line.title}</span>
      </Cell>
      <Cell className={styles.file} title={`${formatDateTime(line.addedAt)} (${formatUtc(line.addedAt)})`}>
        <span>{hit.collectionName}</span>
        <span className={styles.when}>
          {formatDateTime(line.addedAt)} · {hit.site.replace(/^https?:\/\//, '')}
        </span>
      </Cell>
      <Cell className={styles.number}>{formatBytes(line.sizeBytes)}</Cell>
      <Cell className={styles.actions}>
        <RowButton label={`Open the receipt of ${line.fileName}`} onClick={() => openHit(hit)}>
          <ReceiptText size={14} aria-hidden />
        </RowButton>
        <RowMenu label={`More for ${line.fileName}`} groups={() => [{ entries: entriesFor(hit) }]} />
      </Cell>
    </>
  );
}

function entriesFor(hit: ReceiptHit): MenuEntry[] {
  const { link, path, sha256 } = hit.line;
  const entries: MenuEntry[] = [
    {
      id: 'receipt',
      label: 'Open its receipt',
      icon: <ReceiptText size={14} aria-hidden />,
      onAction: () => openHit(hit),
    },
  ];
  if (link !== null) {
    entries.push({
      id: 'page',
      label: 'Open its web page',
      icon: <ExternalLink size={14} aria-hidden />,
      onAction: () => void attempt(async () => void (await call('shell.openExternal', { url: link }))),
    });
  }
  if (sha256 !== null) {
    entries.push({
      id: 'hash',
      label: 'Copy the SHA-256',
      onAction: () => void attempt(async () => copyText(sha256)),
    });
  }
  entries.push({
    id: 'folder',
    label: 'Show in folder',
    icon: <FolderSearch size={14} aria-hidden />,
    onAction: () => void attempt(async () => void (await call('shell.showInFolder', { path }))),
  });
  return entries;
}
