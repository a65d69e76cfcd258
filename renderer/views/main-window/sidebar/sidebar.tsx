import { ArrowUpFromLine, FolderPlus, LibraryBig, ReceiptText, Settings } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { pendingOf } from '../../../../shared/model/upload-counts.ts';
import { openCollection } from '../../../commands/commands.ts';
import { Button, classes, IconButton } from '../../../components/button.tsx';
import { SearchField } from '../../../components/forms/field.tsx';
import { InlineError } from '../../../components/status/empty-state.tsx';
import { openPanel, showSettings, showView, useApp } from '../../../stores/app/app-store.ts';
import { filterTree, useTree } from '../../../stores/library/tree-store.ts';
import { useUploads } from '../../../stores/uploads/uploads-store.ts';
import { formatCount } from '../../../text/format.ts';
import { failuresOf } from '../../../text/upload-text.ts';
import { CollectionTree } from '../../library/collections/collection-tree.tsx';
import { AccountMenu } from './account-menu.tsx';
import styles from './sidebar.module.css';

/** Views, collections and the account. */
export function Sidebar({ width }: { width: number }) {
  const view = useApp((state) => state.view);
  const isAll = useTree((state) => state.selectedId === null);
  const filter = useTree((state) => state.filter);
  const findError = useTree((state) => state.findError);
  return (
    <div className={styles.sidebar} style={{ width }}>
      <nav className={styles.views} aria-label="Views">
        <ViewButton
          icon={<LibraryBig size={16} strokeWidth={1.75} aria-hidden />}
          name="Library"
          isCurrent={view === 'library' && isAll}
          onPress={() => openCollection(null)}
        />
        <ViewButton
          icon={<ArrowUpFromLine size={16} strokeWidth={1.75} aria-hidden />}
          name="Uploads"
          isCurrent={view === 'uploads'}
          onPress={() => showView('uploads')}
        >
          <UploadsBadge />
        </ViewButton>
        <ViewButton
          icon={<ReceiptText size={16} strokeWidth={1.75} aria-hidden />}
          name="Receipts"
          isCurrent={view === 'receipts'}
          onPress={() => showView('receipts')}
        />
        <ViewButton
          icon={<Settings size={16} strokeWidth={1.75} aria-hidden />}
          name="Settings"
          isCurrent={view === 'settings'}
          onPress={() => showSettings()}
        />
      </nav>
      <div className={styles.head}>
        Collections
        <IconButton label="New collection…" small onPress={() => openPanel('new-collection')}>
          <FolderPlus size={15} strokeWidth={1.75} />
        </IconButton>
      </div>
      <div className={styles.filter}>
        <SearchField label="Find a collection" value={filter} onChange={(text) => void filterTree(text)} />
      </div>
      {findError === null ? null : (
        <div className={styles.filter}>
          <InlineError error={findError}>
            <Button onPress={() => void filterTree(filter)}>Try again</Button>
          </InlineError>
        </div>
      )}
      <CollectionTree />
      <AccountMenu />
    </div>
  );
}

interface ViewButtonProps {
  icon: ReactNode;
  name: string;
  isCurrent: boolean;
  onPress: () => void;
  children?: ReactNode;
}

function ViewButton({ icon, name, isCurrent, onPress, children }: ViewButtonProps) {
  return (
    <AriaButton
      className={styles.view ?? ''}
      onPress={onPress}
      {...(isCurrent ? { 'aria-current': 'page' as const, 'data-current': '' } : {})}
    >
      {icon}
      <span className={styles.name}>{name}</span>
      {children}
    </AriaButton>
  );
}

function UploadsBadge() {
  const pending = useUploads((state) => (state.totals === null ? 0 : pendingOf(state.totals.counts)));
  const failed = useUploads((state) => (state.totals === null ? 0 : failuresOf(state.totals)));
  const asking = useUploads((state) => state.totals?.duplicates ?? 0);
  const isHeld = useUploads((state) => state.totals?.paused === true || state.totals?.blockedBy != null);
  if (pending === 0 && failed === 0 && asking === 0) return null;
  const isBad = pending === 0 && failed > 0;
  const text = isBad ? `${formatCount(failed)} failed` : formatCount(pending > 0 ? pending : asking);
  const meaning = isBad ? '' : pending > 0 ? ' to go' : asking === 1 ? ' needs a decision' : ' need a decision';
  return (
    <span
      className={classes(styles.badge, isBad && styles.badgeBad, !isBad && isHeld && styles.badgePaused)}
      data-testid="uploads-badge"
    >
      {text}
      <span className="visually-hidden">{meaning}</span>
    </span>
  );
}
