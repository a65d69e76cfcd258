import { TriangleAlert, X } from 'lucide-react';
import type { AppErrorData } from '../../shared/contract/app-error.ts';
import { dismissNotice, useApp } from '../features/common/state/app-store.ts';
import { IconButton } from '../kit/components/button.tsx';
import styles from './main-window.module.css';
import { texts } from './texts.ts';

/** The notices of the engine about its start, and a keychain problem. Each notice stays until the user dismisses it. */
export function Notices() {
  const info = useApp((state) => state.info);
  const dismissed = useApp((state) => state.dismissed);
  const isMemory = useApp((state) => state.sites.some((site) => site.id === state.siteId && site.keptIn === 'memory'));
  const problem = isMemory ? (info?.keychain.problem ?? null) : null;
  const notices = [...(info?.notices ?? []), ...(problem === null ? [] : [problem])];
  return notices
    .map((notice) => ({ notice, key: `${notice.code}/${notice.message}` }))
    .filter(({ key }) => !dismissed.has(key))
    .map(({ notice, key }) => <Notice key={key} notice={notice} onDismiss={() => dismissNotice(key)} />);
}

function Notice({ notice, onDismiss }: { notice: AppErrorData; onDismiss: () => void }) {
  const path = notice.details?.path;
  return (
    <div className={styles.notice} role="note">
      <TriangleAlert size={15} aria-hidden />
      <div className={styles.noticeText}>
        <strong>{notice.message}</strong> {notice.nextStep}{' '}
        {typeof path === 'string' ? <span data-selectable>{path}</span> : null}
      </div>
      <IconButton label={texts.dismiss} small onPress={onDismiss}>
        <X size={14} />
      </IconButton>
    </div>
  );
}
