import type { RunningWork, Updates } from '../../../../shared/contract/updates.ts';
import { formatBytes, formatDateTime } from '../../../kit/text/format.ts';
import { texts } from './texts.ts';

/** The state in one line. */
export function updateTitle({ phase, offer, installer }: Updates): string {
  if (installer === 'nobody') return texts.cannot;
  const version = offer?.version ?? '';
  if (phase === 'available' || phase === 'downloading' || phase === 'ready') return texts.states[phase](version);
  if (phase === 'failed') return offer === null ? texts.states.checkFailed : texts.states.failed;
  return texts.states[phase];
}

/** What follows from the state. */
export function updateHint(updates: Updates): string {
  const { phase, offer, installer, checkedAt, running } = updates;
  if (installer === 'nobody') return texts.cannotHint;
  if (phase === 'available' && installer === 'package-manager') return texts.byPackages;
  if (phase === 'available' && offer?.sizeBytes != null) return texts.size(formatBytes(offer.sizeBytes));
  if (phase === 'ready') return busyReason(running) ?? texts.readyHint;
  return checkedAt === null ? texts.never : texts.last(formatDateTime(checkedAt));
}

/** Why the app can't be restarted now; null: it can. */
export function busyReason(running: RunningWork | null): string | null {
  if (running === null) return texts.starting;
  const kinds = ['uploads', 'downloads', 'edits', 'sweeps'] as const;
  const work = kinds.filter((kind) => running[kind] > 0).map((kind) => texts.work[kind](running[kind]));
  if (work.length === 0) return null;
  return running.uploads > 0 ? `${texts.busy(work)} ${texts.busyHint}` : texts.busy(work);
}
