import { PanelLeftOpen } from 'lucide-react';
import { toggleSidebar } from '../../features/common/state/layout-store.ts';
import { modKey } from '../../kit/bridge/bridge.ts';
import { IconButton } from '../../kit/components/button.tsx';
import { texts } from '../texts.ts';
import { AccountMenu } from './account-menu.tsx';
import styles from './sidebar.module.css';
import { ViewButtons } from './view-buttons.tsx';

/** Shown instead of a hidden sidebar, and in a window without room for it: the views and the account as icons. */
export function Rail() {
  return (
    <div className={styles.rail}>
      <ViewButtons iconsOnly />
      <span className={styles.grow} />
      <IconButton label={texts.sidebar.show} keys={`${modKey()}B`} onPress={toggleSidebar}>
        <PanelLeftOpen size={16} strokeWidth={1.75} />
      </IconButton>
      <AccountMenu iconOnly />
    </div>
  );
}
