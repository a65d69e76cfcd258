import { useEffect, useState } from 'react';
import { CLOCK_TOLERANCE_MS } from '../../../shared/model/clock-tolerance.ts';
import { untilCancelled } from '../../async/latest-only.ts';
import { siteClockAheadMs } from '../../stores/app/site-clock.ts';
import styles from './clock-notice.module.css';
import { texts } from './texts.ts';

/** Warns where times are entered that the library will use: its clock and that of this computer differ. */
export function ClockNotice({ siteId }: { siteId: string | null }) {
  const [aheadMs, setAhead] = useState<number | null>(null);
  useEffect(() => {
    if (siteId === null) return;
    // Without a connection nothing is known, and nothing is shown.
    const unknown = () => setAhead(null);
    return untilCancelled(siteClockAheadMs(siteId), setAhead, unknown);
  }, [siteId]);
  if (aheadMs === null || Math.abs(aheadMs) <= CLOCK_TOLERANCE_MS) return null;
  const minutes = Math.round(Math.abs(aheadMs) / 60_000);
  return (
    <p className={styles.notice} role="note">
      {aheadMs > 0 ? texts.clock.ahead(minutes) : texts.clock.behind(minutes)} {texts.clock.next}
    </p>
  );
}
