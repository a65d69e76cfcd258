import type { WatchedFileRow, WatchedFolder } from '../../../shared/contract/watch.ts';
import { DEFAULT_RULE_ID } from '../../../shared/model/watch/apply-rules.ts';
import type { GlobProblem } from '../../../shared/model/watch/glob.ts';
import { shownCounts } from '../../../shared/model/watch/shown-counts.ts';
import { formatListDate, formatWait } from '../../kit/text/format.ts';
import type { StateLook } from '../../kit/text/states.ts';
import { verdictText } from './clause-text.ts';
import type { DraftProblem } from './state/rules-draft.ts';
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

/** Returns the folder of a file inside the watched folder, with a slash at its end; an empty text for a file directly in it. */
export function subFolder(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/**
 * Returns the reason for the state of a file: the error of the engine with its next step, otherwise the decision of the rules.
 */
export function reasonText({ reason, verdict }: Pick<WatchedFileRow, 'reason' | 'verdict'>): string {
  if (reason !== null) return [reason.message, reason.nextStep].filter((text) => text !== null).join(' ');
  return verdict === null ? '' : verdictText(verdict);
}

/** Returns `ready in 12 s`; null when that time is unknown. */
export function readyText({ readyAt }: Pick<WatchedFileRow, 'readyAt'>, nowMs: number): string | null {
  if (readyAt === null) return null;
  const left = readyAt - nowMs;
  return left <= 0 ? texts.files.checking : texts.files.ready(formatWait(left / 1000));
}

/** Returns why a pattern can't be used, as a sentence. */
export function globText(problem: GlobProblem): string {
  return texts.problems.glob[problem];
}

/** Returns a problem of a draft as a sentence with the next step. */
export function draftProblemText(problem: DraftProblem): string {
  const words = texts.problems;
  switch (problem.kind) {
    case 'no-name':
      return words.noName;
    case 'no-collection':
      return words.noCollection;
    case 'no-folder':
      return words.noFolder;
    case 'no-existing-choice':
      return words.noExisting;
    case 'same-id':
      return words.sameId;
    case 'takes-nothing':
      return words.takesNothing(problem.glob);
    case 'title':
      return problem.sentence;
    case 'glob':
      return words.inGlob(problem.glob, globText(problem.problem));
  }
}

/** Returns the problem with the name of its rule, for a list of problems of several rules. */
export function problemInRule(problem: DraftProblem, rules: readonly { id: string; name: string }[]): string {
  if (rules.length === 0) return draftProblemText(problem);
  const name =
    problem.ruleId === DEFAULT_RULE_ID ? texts.defaultRule : rules.find(({ id }) => id === problem.ruleId)?.name;
  return texts.problems.inRule(name ?? texts.unknownRule, draftProblemText(problem));
}
