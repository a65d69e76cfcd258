import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import { dispositionOf } from '../../../../shared/contract/errors/error-catalog.ts';
import { retryAfterMsOf, retryWaitMs } from '../../../../shared/model/backoff.ts';
import { type FollowUp, followUpRetries } from '../../../../shared/model/uploads/follow-ups.ts';
import type { UploadEvent } from '../../../../shared/model/uploads/upload.ts';

/**
 * The number of retries after errors of this computer, for about ten minutes; after that the follow-up waits for the user or the
 * next start.
 */
const LOCAL_RETRIES = 6;
/** The shortest wait after a site-wide error. The error opens the site's breaker, and the follow-up runs when it has closed. */
const AFTER_BREAKER_MS = 1000;

/** Returns the event for a failed follow-up. A site-wide error uses no retry. */
export function afterFollowUpFailure(
  followUp: FollowUp,
  index: number,
  error: AppErrorData,
  now: number,
  answered: number,
): UploadEvent {
  const failed = { kind: 'follow-up-failed', index, error } as const;
  switch (dispositionOf(error.code)) {
    case 'permanent':
    case 'ask':
      return failed;
    case 'retry':
    // A disconnected drive uses a retry, because disk probes do not wake follow-ups.
    case 'wait-disk': {
      const { retriesByStep, count } = followUpRetries(followUp, error.code, answered);
      const delayMs = isLocalTrouble(error) && count > LOCAL_RETRIES ? null : retryWaitMs(count, error);
      if (delayMs === null) return failed;
      return { kind: 'follow-up-delayed', index, error, until: now + delayMs, usesRetry: true, retriesByStep };
    }
    default: {
      const waitMs = Math.max(AFTER_BREAKER_MS, retryAfterMsOf(error) ?? 0);
      return { kind: 'follow-up-delayed', index, error, until: now + waitMs, usesRetry: false };
    }
  }
}

/** Returns whether an error concerns this computer: its disks, or the recording itself. */
export function isLocalTrouble({ code }: AppErrorData): boolean {
  const disposition = dispositionOf(code);
  return disposition === 'wait-disk' || (code.startsWith('source.') && disposition === 'retry');
}
