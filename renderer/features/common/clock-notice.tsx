import { useEffect, useState } from 'react';
import { CLOCK_TOLERANCE_MS } from '../../../shared/model/clock-tolerance.ts';
import { untilCancelled } from '../../kit/async/latest-only.ts';
import { call } from '../../kit/bridge/bridge.ts';
import styles from './clock-notice.module.css';
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

/** Returns by how many milliseconds this computer's clock is ahead of the library's; null when that is unknown. */
async function siteClockAheadMs(siteId: string): Promise<number | null> {
  return (await call('sites.clock', { siteId })).aheadMs;
}
