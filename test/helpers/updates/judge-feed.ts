import {
  type FeedVerdict,
  type JudgeFacts,
  judgeVersion,
  trustFeed,
} from '../../../electron/main/updates/judge-feed.ts';

/** Judges a feed as the app does: first whether it can be trusted, then its version. */
export function judgeFeed(bytes: Uint8Array, facts: JudgeFacts): FeedVerdict {
  return judgeVersion(trustFeed(bytes, facts), facts);
}
