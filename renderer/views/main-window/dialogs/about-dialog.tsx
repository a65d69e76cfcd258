import { BrandMark } from '../../../components/brand-mark.tsx';
import { Dialog } from '../../../components/overlay/dialog.tsx';
import { openPanel, useApp } from '../../../stores/app/app-store.ts';
import styles from './dialogs.module.css';

const KEPT: Readonly<Record<'system' | 'memory' | 'file', string>> = {
  system: 'in this computer’s keychain',
  memory: 'in memory, until Mediadesk closes',
  file: 'in a file protected by a passphrase',
};

export function AboutDialog() {
  const isOpen = useApp((state) => state.panel === 'about');
  const info = useApp((state) => state.info);
  if (info === null) return null;
  return (
    <Dialog title="About Mediadesk" isOpen={isOpen} onClose={() => openPanel(null)} width={420}>
      <div className={styles.about}>
        <BrandMark size={44} />
        <dl className={styles.facts} data-selectable>
          <dt>Version</dt>
          <dd>{info.version}</dd>
          <dt>Platform</dt>
          <dd>{info.platform}</dd>
          <dt>Profile</dt>
          <dd>{info.profileDir}</dd>
          <dt>Sign-in kept</dt>
          <dd>{KEPT[info.keychain.kind]}</dd>
        </dl>
      </div>
    </Dialog>
  );
}
