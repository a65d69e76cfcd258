import type { ReactNode } from 'react';
import { openPanel, useApp } from '../../features/common/state/app-store.ts';
import { NetworkSection } from '../../features/settings/network-section.tsx';
import { UpdatesSection } from '../../features/settings/updates/updates-section.tsx';
import { Button } from '../../kit/components/button.tsx';
import { Dialog, FooterSpace } from '../../kit/components/overlay/dialog.tsx';
import { texts } from '../texts.ts';
import styles from './dialogs.module.css';

/** The network settings above the sign-in page: some libraries can't be reached without them. */
export function NetworkDialog() {
  return (
    <SettingsDialog panel="network">
      <NetworkSection />
    </SettingsDialog>
  );
}

/** Updates above the sign-in page: a newer version may be what makes the sign-in work. */
export function UpdatesDialog() {
  return (
    <SettingsDialog panel="updates">
      <UpdatesSection />
    </SettingsDialog>
  );
}

/** A section of the settings, where there is no account and thus no view of the settings. */
function SettingsDialog({ panel, children }: { panel: keyof typeof texts.panels; children: ReactNode }) {
  const isOpen = useApp((state) => state.panel === panel);
  return (
    <Dialog
      title={texts.panels[panel]}
      isOpen={isOpen}
      onClose={() => openPanel(null)}
      width={720}
      footer={
        <>
          <FooterSpace />
          <Button onPress={() => openPanel(null)}>{texts.closePanel}</Button>
        </>
      }
    >
      <div className={styles.sections}>{children}</div>
    </Dialog>
  );
}
