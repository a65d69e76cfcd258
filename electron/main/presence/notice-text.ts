import type { ShownPlace } from '../../../shared/contract/desktop.ts';
import { texts } from '../texts.ts';
import type { DesktopNotice, EndedBatch, OpenProblem } from './notice-planner.ts';

/** A notification as the system shows it, and where a click leads. */
export interface ShownNotice {
  title: string;
  body: string;
  place: ShownPlace;
}

/** The longest name in a notification, in UTF-16 units. */
const LONGEST_NAME = 60;

/** Returns the texts of a notification. Without `withNames` it names no collection. */
export function noticeText(notice: DesktopNotice, withNames: boolean): ShownNotice {
  return notice.kind === 'ended' ? endedText(notice.batches, withNames) : attentionText(notice.problems);
}

function endedText(batches: readonly EndedBatch[], withNames: boolean): ShownNotice {
  const words = texts.notices;
  const sum = (name: 'complete' | 'failed' | 'needsDecision') =>
    batches.reduce((total, batch) => total + batch[name], 0);
  const [complete, failed, needsDecision] = [sum('complete'), sum('failed'), sum('needsDecision')];
  const counts = [
    ...(failed > 0 ? [words.failed(failed)] : []),
    ...(needsDecision > 0 ? [words.needDecision(needsDecision)] : []),
    ...(complete > 0 ? [words.complete(complete)] : []),
  ];
  const [title = '', ...others] = counts;
  const names = [...new Set(batches.map(({ collectionName }) => shortName(collectionName)))].filter(Boolean);
  const [first] = names;
  const where = !withNames || first === undefined ? [] : [words.in(first, names.length - 1)];
  const [only] = batches;
  return {
    title,
    body: [...others, ...where].join(' · '),
    place: {
      view: 'uploads',
      batchId: batches.length === 1 && only !== undefined ? only.id : null,
      tab: failed > 0 ? 'failed' : needsDecision > 0 ? 'needs-decision' : 'all',
    },
  };
}

/** Control characters and marks of writing direction could change what a notification seems to say. */
function shortName(name: string): string {
  const plain = name.replace(/[\p{Cc}\p{Cf}]/gu, '').trim();
  return plain.length > LONGEST_NAME ? `${plain.slice(0, LONGEST_NAME)}…` : plain;
}

function attentionText(problems: readonly OpenProblem[]): ShownNotice {
  const words = texts.notices;
  const sentences = problems.map((problem) => words.problems[problem.kind](problem.count));
  const [first] = problems;
  const [title = '', ...others] = [...new Set(sentences)];
  return {
    title,
    body: others.length === 0 ? words.openMediadesk : others.join(' · '),
    place: first?.place ?? { view: 'uploads', batchId: null, tab: 'all' },
  };
}
