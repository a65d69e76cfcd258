import { useEffect, useState } from 'react';
import { CLOCK_TOLERANCE_MS } from '../../../shared/model/clock-tolerance.ts';
import { untilCancelled } from '../../kit/async/latest-only.ts';
import styles from './clock-notice.module.css';
import { siteClockAheadMs } from './site-clock.ts';
import { texts } from './texts.ts';

/** A warning beside fields for times that the library will use: the clocks of the library and of this computer differ. */
export function ClockNotice({ siteId }: { siteId: string | null }) {
  const [aheadMs, setAhead] = useState<number | null>(null);
  useEffect(() => {
    if (siteId === null) return;
    // Without a connection, the difference is unknown, and no warning is shown.
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
