import { FolderPlus, PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { openPanel } from '../../features/common/state/app-store.ts';
import { toggleSidebar } from '../../features/common/state/layout-store.ts';
import { CollectionTree } from '../../features/library/collections/collection-tree.tsx';
import { SavedSearchList } from '../../features/library/query/saved-searches.tsx';
import { filterTree, useTree } from '../../features/library/state/tree-store.ts';
import { modKey } from '../../kit/bridge/bridge.ts';
import { Button, IconButton } from '../../kit/components/button.tsx';
import { SearchField } from '../../kit/components/forms/field.tsx';
import { InlineError } from '../../kit/components/status/empty-state.tsx';
import { texts } from '../texts.ts';
import { AccountMenu } from './account-menu.tsx';
import styles from './sidebar.module.css';
import { SyncLine } from './sync-line.tsx';
import { UpdateLine } from './update-line.tsx';
import { ViewButtons } from './view-buttons.tsx';

/** Views, collections and the account. */
export function Sidebar({ width }: { width?: number }) {
  const filter = useTree((state) => state.filter);
  const findError = useTree((state) => state.findError);
  return (
    <div className={styles.sidebar} style={{ width: width ?? '100%' }}>
      <ViewButtons />
      <SavedSearchList />
      <div className={styles.head}>
        <div className={styles.find}>
          <SearchField label={texts.sidebar.find} value={filter} onChange={(text) => void filterTree(text)} />
        </div>
        <IconButton label={texts.sidebar.newCollection} small onPress={() => openPanel('new-collection')}>
          <FolderPlus size={15} strokeWidth={1.75} />
        </IconButton>
      </div>
      {findError === null ? null : (
        <div className={styles.filter}>
          <InlineError error={findError}>
            <Button onPress={() => void filterTree(filter)}>{texts.sidebar.retry}</Button>
          </InlineError>
        </div>
      )}
      <CollectionTree />
      <SyncLine />
      <UpdateLine />
      <div className={styles.foot}>
        <AccountMenu />
        <IconButton label={texts.sidebar.hide} keys={`${modKey()}B`} onPress={toggleSidebar}>
          <PanelLeftClose size={16} strokeWidth={1.75} />
        </IconButton>
      </div>
    </div>
  );
}

/** Shown instead of a hidden sidebar, and in a window without room for it: the views and the account as icons. */
export function Rail() {
  return (
    <div className={styles.rail}>
      <ViewButtons iconsOnly />
      <span className={styles.grow} />
      <UpdateLine iconOnly />
      <IconButton label={texts.sidebar.show} keys={`${modKey()}B`} onPress={toggleSidebar}>
        <PanelLeftOpen size={16} strokeWidth={1.75} />
      </IconButton>
      <AccountMenu iconOnly />
    </div>
  );
}
