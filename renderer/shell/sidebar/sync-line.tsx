import { currentSite, isOnline, useApp } from '../../features/common/state/app-store.ts';
import { removeVanished, useSync } from '../../features/library/state/sync-store.ts';
import { Button } from '../../kit/components/button.tsx';
import { useNow } from '../../kit/components/time-hooks.ts';
import { texts } from '../texts.ts';
import styles from './sidebar.module.css';
import { syncText } from './sync-text.ts';

const MINUTE_MS = 60_000;

/** Shows how current this computer's copy of the library is; nothing while there is no copy. */
export function SyncLine() {
  const siteId = useApp((state) => state.siteId);
  const isSiteOnline = useApp((state) => {
    const site = currentSite(state);
    return site !== null && isOnline(site);
  });
  const status = useSync((state) => (siteId === null ? undefined : state.bySite[siteId]));
  const now = useNow(status?.syncedAt != null, MINUTE_MS / 2);
  if (siteId === null || status === undefined) return null;
  const text = syncText(status, isSiteOnline, Math.max(now, status.syncedAt ?? 0));
  if (text === null) return null;
  return (
    <div className={styles.sync}>
      <p title={status.error?.message}>{text}</p>
      {status.vanished === 0 ? null : (
        <>
          <p>{texts.sync.vanished(status.vanished)}</p>
          <Button variant="link" isBusy={status.isRunning} onPress={() => void removeVanished(siteId)}>
            {texts.sync.removeVanished}
          </Button>
        </>
      )}
    </div>
  );
}
