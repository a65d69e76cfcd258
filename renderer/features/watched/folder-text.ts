import type { WatchedFolder } from '../../../shared/contract/watch.ts';
import { shownCounts } from '../../../shared/model/watch/shown-counts.ts';
import { formatListDate, formatWait } from '../../kit/text/format.ts';
import type { StateLook } from '../../kit/text/states.ts';
import { texts } from './texts.ts';

const LOOKS: Readonly<Record<WatchedFolder['state'], StateLook>> = {
  off: { word: texts.states.off, icon: 'unknown', tone: 'neutral' },
  paused: { word: texts.states.paused, icon: 'paused', tone: 'neutral' },
  watching: { word: texts.states.watching, icon: 'complete', tone: 'good' },
  'sweep-only': { word: texts.states['sweep-only'], icon: 'scheduled', tone: 'good' },
  'waiting-for-drive': { word: texts.states['waiting-for-drive'], icon: 'waiting', tone: 'waiting' },
  moved: { word: texts.states.moved, icon: 'unknown', tone: 'waiting' },
  unusable: { word: texts.states.unusable, icon: 'failed', tone: 'bad' },
};

/** Returns the appearance of the state of a folder. A running sweep replaces the usual states. */
export function folderLook({
  state,
  isSweeping,
  notice,
}: Pick<WatchedFolder, 'state' | 'isSweeping' | 'notice'>): StateLook {
  if (isSweeping && (state === 'watching' || state === 'sweep-only')) {
    return { word: texts.states.sweeping, icon: 'processing', tone: 'active' };
  }
  // The user can end this state, for example by a higher limit of the system. On a network drive, it is the usual state.
  if (state === 'sweep-only' && notice?.nextStep != null) {
    return { ...LOOKS[state], icon: 'warning', tone: 'waiting' };
  }
  return LOOKS[state];
}

/** Returns the counts that are not zero: `2 settling · 1,204 uploaded`. Files that wait for a rule count as settling. */
export function countsText(folder: Pick<WatchedFolder, 'counts' | 'unsent'>): string {
  const words = texts.counts;
  const { incomplete, queued } = folder.counts;
  const { settling, uploaded, skipped } = shownCounts(folder);
  const parts = [
    ...(incomplete > 0 ? [words.incomplete(incomplete)] : []),
    ...(settling > 0 ? [words.settling(settling)] : []),
    ...(queued > 0 ? [words.queued(queued)] : []),
    ...(uploaded > 0 ? [words.done(uploaded)] : []),
    ...(skipped > 0 ? [words.refused(skipped)] : []),
  ];
  return parts.length === 0 ? words.none : parts.join(' · ');
}

/** `Last sweep 14:02 · next in 4 min`. */
export function sweepText(
  folder: Pick<WatchedFolder, 'lastSweepAt' | 'nextSweepAt' | 'isSweeping'>,
  nowMs: number,
): string {
  const words = texts.sweep;
  const { lastSweepAt, nextSweepAt, isSweeping } = folder;
  const last =
    lastSweepAt === null ? words.never : words.last(formatListDate(new Date(lastSweepAt).toISOString(), nowMs));
  if (isSweeping) return `${last} · ${words.now}`;
  if (nextSweepAt === null) return last;
  const wait = nextSweepAt - nowMs;
  return `${last} · ${wait <= 0 ? words.soon : words.next(formatWait(wait / 1000))}`;
}
