import { openPanel, useApp } from '../../features/common/state/app-store.ts';
import { NetworkSection } from '../../features/settings/network-section.tsx';
import { Button } from '../../kit/components/button.tsx';
import { Dialog, FooterSpace } from '../../kit/components/overlay/dialog.tsx';
import { texts } from '../texts.ts';
import styles from './dialogs.module.css';

/** The network settings above the sign-in page: some libraries can't be reached without them. */
export function NetworkDialog() {
  const isOpen = useApp((state) => state.panel === 'network');
  return (
    <Dialog
      title={texts.network.title}
      isOpen={isOpen}
      onClose={() => openPanel(null)}
      width={720}
      footer={
        <>
          <FooterSpace />
          <Button onPress={() => openPanel(null)}>{texts.network.close}</Button>
        </>
      }
    >
      <div className={styles.sections}>
        <NetworkSection />
      </div>
    </Dialog>
  );
}
