import { call } from '../../kit/bridge/bridge.ts';

/** Returns by how many milliseconds this computer's clock is ahead of the library's; null when that is unknown. */
export async function siteClockAheadMs(siteId: string): Promise<number | null> {
  return (await call('sites.clock', { siteId })).aheadMs;
}
