import type { CancelEffects } from '../../../shared/contract/uploads.ts';
import { CANCEL_EFFECTS } from '../../../shared/model/cancel-effects.ts';
import { counted, formatCount } from '../../text/format.ts';

/** Returns whether a cancel loses data that was sent, or an item of the library. */
export function losesSomething({ sending, delivered, kept }: CancelEffects): boolean {
  return sending + delivered + kept > 0;
}

/** Returns whether a question about the effects `asked` still mentions every kind of loss. */
export function mentionsAll(asked: CancelEffects, now: CancelEffects): boolean {
  return CANCEL_EFFECTS.every((effect) => effect === 'waiting' || now[effect] === 0 || asked[effect] > 0);
}

export function effectsTotal(effects: CancelEffects): number {
  return CANCEL_EFFECTS.reduce((total, effect) => total + effects[effect], 0);
}

/** Returns the effects of a cancel, one sentence for each kind. */
export function cancelSentences(effects: CancelEffects): string[] {
  const { waiting, sending, delivered, kept } = effects;
  if (effectsTotal(effects) === 1) {
    const sentence =
      kept === 1
        ? 'The file is already in the library. It stays there as a draft.'
        : delivered === 1
          ? 'The file is already in the library. If you cancel, it is deleted there.'
          : 'The file is being sent. If you cancel, what was sent so far is lost.';
    return [sentence, 'The file on this computer stays as it is. You can retry the upload later.'];
  }
  return [
    ...(delivered > 0
      ? [`${subject(delivered)} already in the library. If you cancel, ${they(delivered)} deleted there.`]
      : []),
    ...(kept > 0
      ? [
          `${subject(kept)} already complete in the library. ${kept === 1 ? 'It stays there as a draft' : 'They stay there as drafts'}.`,
        ]
      : []),
    ...(sending > 0 ? [`${subject(sending)} being sent. If you cancel, what was sent so far is lost.`] : []),
    ...(waiting > 0 ? [`Nothing of ${counted(waiting, 'other file')} was delivered yet.`] : []),
    'The files on this computer stay as they are. You can retry the uploads later.',
  ];
}

/** `Cancel “Lecture 4”?`, `Cancel 12 uploads?` */
export function cancelTitle(effects: CancelEffects, title: string | null): string {
  const total = effectsTotal(effects);
  if (total === 1) return title === null ? 'Cancel this upload?' : `Cancel “${title}”?`;
  return `Cancel ${formatCount(total)} uploads?`;
}

export function cancelledWords(count: number, title: string | null): string {
  return count === 1 && title !== null ? `“${title}” cancelled.` : `${counted(count, 'upload')} cancelled.`;
}

export function undoneWords(count: number): string {
  return count === 1 ? 'The upload is back in the queue.' : `${formatCount(count)} uploads are back in the queue.`;
}

const subject = (count: number) => `${counted(count, 'file')} ${count === 1 ? 'is' : 'are'}`;
const they = (count: number) => (count === 1 ? 'it is' : 'they are');
