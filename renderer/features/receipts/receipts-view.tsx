import { ReceiptText } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from '../../kit/components/button.tsx';
import { SearchField } from '../../kit/components/forms/field.tsx';
import { EmptyState, ErrorState } from '../../kit/components/status/empty-state.tsx';
import { pick } from '../common/commands/commands.ts';
import { useUploads } from '../uploads/state/uploads-store.ts';
import { BatchList } from './batch-list.tsx';
import { ReceiptHitList } from './receipt-hits.tsx';
import { ReceiptPane } from './receipt-pane.tsx';
import styles from './receipts-view.module.css';
import {
  loadReceipts,
  receiptHits,
  refreshReceipts,
  searchReceipts,
  useReceiptSearch,
  useReceipts,
} from './state/receipts-store.ts';
import { texts } from './texts.ts';

/** The outcome of every file that was ever added: the batches, beside the receipt of one of them. */
export function ReceiptsView() {
  const text = useReceiptSearch((state) => state.text);
  useFreshReceipts();
  return (
    <main className={styles.view} aria-label={texts.title}>
      <div className={styles.toolbar}>
        <h1 className={styles.title}>{texts.title}</h1>
        <span className={styles.grow} />
        <div className={styles.search}>
          <SearchField label={texts.search} value={text} onChange={searchReceipts} />
        </div>
      </div>
      {text.trim() === '' ? <Contents /> : <ReceiptHitList />}
    </main>
  );
}

function Contents() {
  const batches = useReceipts((state) => state.batches);
  const error = useReceipts((state) => state.error);
  const showsReceipt = useReceipts((state) => state.showsReceipt);
  if (batches === null && error !== null) {
    return <ErrorState title={texts.notLoaded} error={error} onRetry={() => void loadReceipts()} />;
  }
  if (batches === null) return <p className={styles.quiet}>{texts.loading}</p>;
  if (batches.length === 0) {
    return (
      <EmptyState icon={ReceiptText} title={texts.none} text={texts.noneHint}>
        <Button variant="primary" onPress={() => void pick('files')}>
          {texts.addFiles}
        </Button>
      </EmptyState>
    );
  }
  return (
    <div className={styles.panes} {...(showsReceipt ? { 'data-open': '' } : {})}>
      <BatchList batches={batches} />
      <ReceiptPane />
    </div>
  );
}

/** Loads the shown receipts when the view opens, and again whenever the batches of the queue were loaded again. */
function useFreshReceipts(): void {
  useEffect(() => {
    const refresh = () => {
      refreshReceipts();
      receiptHits.refresh();
    };
    refresh();
    return useUploads.subscribe((state, before) => {
      if (state.batches !== before.batches) refresh();
    });
  }, []);
}
