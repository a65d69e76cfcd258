import { openPanel, useApp } from '../../features/common/state/app-store.ts';
import { BrandMark } from '../../kit/components/brand-mark.tsx';
import { Dialog } from '../../kit/components/overlay/dialog.tsx';
import { texts } from '../texts.ts';
import styles from './dialogs.module.css';

export function AboutDialog() {
  const isOpen = useApp((state) => state.panel === 'about');
  const info = useApp((state) => state.info);
  if (info === null) return null;
  return (
    <Dialog title={texts.about.title} isOpen={isOpen} onClose={() => openPanel(null)} width={420}>
      <div className={styles.about}>
        <BrandMark size={44} />
        <dl className={styles.facts} data-selectable>
          <dt>{texts.about.version}</dt>
          <dd>{info.version}</dd>
          <dt>{texts.about.platform}</dt>
          <dd>{info.platform}</dd>
          <dt>{texts.about.profile}</dt>
          <dd>{info.profileDir}</dd>
          <dt>{texts.about.signIn}</dt>
          <dd>{texts.about.kept[info.keychain.kind]}</dd>
        </dl>
      </div>
    </Dialog>
  );
}
