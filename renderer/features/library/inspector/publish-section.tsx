import { useEffect, useRef, useState } from 'react';
import type { MediaItem } from '../../../../shared/api/media.ts';
import { localTimeZone } from '../../../../shared/model/local-time-zone.ts';
import { Button } from '../../../kit/components/button.tsx';
import {
  draftOfTime,
  instantOfDraft,
  nextFullHour,
  type ZonedTimeDraft,
} from '../../../kit/components/forms/zoned-time-draft.ts';
import { ZonedTimeField } from '../../../kit/components/forms/zoned-time-field.tsx';
import { formatDateTime, formatUtc } from '../../../kit/text/format.ts';
import { ClockNotice } from '../../common/clock-notice.tsx';
import { publish, unpublish } from '../state/inspector-commands.ts';
import { useInspector } from '../state/inspector-store.ts';
import { texts } from '../texts.ts';
import styles from './inspector.module.css';
import { RefusalNotice } from './notices.tsx';

/** Shows and changes whether and when an item is public. Shown times are local, with the time zone beside them. */
export function PublishSection({ item }: { item: MediaItem }) {
  const busy = useInspector((state) => state.busy);
  const siteId = useInspector((state) => state.siteId);
  const refused = useInspector((state) => state.rights?.publish ?? null);
  const [at, setAt] = useState<ZonedTimeDraft | null>(null);
  const isBusy = busy !== null;
  const isPublic = item.status === 'published';
  const isScheduled = item.status === 'scheduled';
  const startScheduling = () => {
    const planned = isScheduled && item.publish_on !== null ? Date.parse(item.publish_on) : nextFullHour(Date.now());
    setAt(draftOfTime(planned, localTimeZone()));
  };
  const instant = at === null ? null : instantOfDraft(at);
  const schedule = async () => {
    if (instant === null) return;
    await publish(new Date(instant).toISOString());
    setAt(null);
  };
  // Every command replaces the buttons: the first new button gets the focus that the pressed button had.
  const section = useRef<HTMLElement>(null);
  const buttons = `${at === null} ${item.status}`;
  const shownButtons = useRef(buttons);
  useEffect(() => {
    if (shownButtons.current === buttons) return;
    shownButtons.current = buttons;
    const active = document.activeElement;
    if (active !== document.body && active !== null) return;
    section.current?.querySelector<HTMLElement>('button')?.focus();
  }, [buttons]);
  // All fields of the form have to be visible, because the open list of a field closes when the inspector scrolls.
  const isScheduling = at !== null;
  useEffect(() => {
    if (isScheduling) section.current?.scrollIntoView({ block: 'nearest' });
  }, [isScheduling]);
  return (
    <section ref={section} className={styles.section} aria-label={texts.publishing.title}>
      <h3 className={styles.sectionTitle}>{texts.publishing.title}</h3>
      <p className={styles.muted} title={item.publish_on === null ? '' : formatUtc(item.publish_on)}>
        {sentence(item)}
      </p>
      {at === null ? (
        <div className={styles.row}>
          {isPublic ? null : (
            <Button onPress={() => void publish(null)} isBusy={isBusy} isDisabled={refused !== null}>
              {texts.publishing.publish}
            </Button>
          )}
          {isPublic ? null : (
            <Button onPress={startScheduling} isBusy={isBusy} isDisabled={refused !== null}>
              {isScheduled ? texts.publishing.reschedule : texts.publishing.schedule}
            </Button>
          )}
          {isPublic || isScheduled ? (
            <Button onPress={() => void unpublish()} isBusy={isBusy} isDisabled={refused !== null}>
              {isPublic ? texts.publishing.unpublish : texts.publishing.backToDraft}
            </Button>
          ) : null}
          {busy === 'publishing' ? <span className={styles.small}>{texts.publishing.working}</span> : null}
        </div>
      ) : (
        <>
          <ZonedTimeField autoFocus label={texts.publishing.at} draft={at} onChange={setAt} />
          <ClockNotice siteId={siteId} />
          <div className={styles.row}>
            <Button variant="primary" onPress={() => void schedule()} isBusy={isBusy} isDisabled={instant === null}>
              {texts.publishing.scheduleNow}
            </Button>
            <Button onPress={() => setAt(null)}>{texts.publishing.cancel}</Button>
          </div>
        </>
      )}
      <RefusalNotice error={refused} />
    </section>
  );
}

function sentence(item: MediaItem): string {
  if (item.status === 'published') {
    return item.publish_on === null
      ? texts.publishing.isPublic
      : texts.publishing.published(formatDateTime(item.publish_on));
  }
  if (item.status === 'scheduled') {
    return item.publish_on === null
      ? texts.publishing.willBePublished
      : texts.publishing.scheduled(formatDateTime(item.publish_on), localTimeZone());
  }
  if (item.status === 'draft') return texts.publishing.draft;
  return texts.publishing.otherStatus(item.status);
}
