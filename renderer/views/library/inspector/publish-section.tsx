import { useState } from 'react';
import type { MediaItem } from '../../../../shared/api/media.ts';
import { Button } from '../../../components/button.tsx';
import { LocalTimeField, nextFullHour } from '../../../components/forms/local-time-field.tsx';
import { publish, unpublish, useInspector } from '../../../stores/library/inspector-store.ts';
import { formatDateTime, formatUtc, fromLocalInput, toLocalInput, zoneName } from '../../../text/format.ts';
import styles from './inspector.module.css';

/** Shows and changes whether and when an item is public. Times are local, with the time zone beside them. */
export function PublishSection({ item }: { item: MediaItem }) {
  const busy = useInspector((state) => state.busy);
  const [at, setAt] = useState<string | null>(null);
  const isBusy = busy !== null;
  const isPublic = item.status === 'published';
  const isScheduled = item.status === 'scheduled';
  const startScheduling = () => {
    const planned = isScheduled && item.publish_on !== null ? Date.parse(item.publish_on) : nextFullHour(Date.now());
    setAt(toLocalInput(planned));
  };
  const instant = at === null ? null : fromLocalInput(at);
  const schedule = async () => {
    if (instant === null) return;
    await publish(instant);
    setAt(null);
  };
  return (
    <div className={styles.section}>
      <h3 className={styles.sectionTitle}>Publishing</h3>
      <p className={styles.muted} title={item.publish_on === null ? '' : formatUtc(item.publish_on)}>
        {sentence(item)}
      </p>
      {at === null ? (
        <div className={styles.row}>
          {isPublic ? null : (
            <Button onPress={() => void publish(null)} isDisabled={isBusy}>
              Publish now
            </Button>
          )}
          {isPublic ? null : (
            <Button onPress={startScheduling} isDisabled={isBusy}>
              {isScheduled ? 'Change the time…' : 'Schedule…'}
            </Button>
          )}
          {isPublic || isScheduled ? (
            <Button onPress={() => void unpublish()} isDisabled={isBusy}>
              {isPublic ? 'Unpublish' : 'Back to draft'}
            </Button>
          ) : null}
          {busy === 'publishing' ? <span className={styles.small}>Working…</span> : null}
        </div>
      ) : (
        <>
          <LocalTimeField label="Publish at" value={at} onChange={setAt} />
          <div className={styles.row}>
            <Button variant="primary" onPress={() => void schedule()} isDisabled={isBusy || instant === null}>
              Schedule
            </Button>
            <Button onPress={() => setAt(null)}>Cancel</Button>
          </div>
        </>
      )}
    </div>
  );
}

function sentence(item: MediaItem): string {
  if (item.status === 'published') {
    return item.publish_on === null ? 'Everyone with access sees it.' : `Published ${formatDateTime(item.publish_on)}.`;
  }
  if (item.status === 'scheduled') {
    return item.publish_on === null
      ? 'Will be published.'
      : `Will be published ${formatDateTime(item.publish_on)} (${zoneName()}).`;
  }
  if (item.status === 'draft') return 'A draft: only people who can edit it see it.';
  return `The library calls this “${item.status}”.`;
}
