import type { CancelEffects } from '../../../../shared/contract/uploads.ts';
import { CANCEL_EFFECTS } from '../../../../shared/model/uploads/cancel-effects.ts';
import { texts } from './texts.ts';

/** Returns whether a cancel discards data that was sent, or deletes an item of the library. */
export function losesSomething({ sending, delivered, kept }: CancelEffects): boolean {
  return sending + delivered + kept > 0;
}

/** Returns whether a question that was asked with the effects `asked` still mentions every kind of loss in the new effects. */
export function mentionsAll(asked: CancelEffects, now: CancelEffects): boolean {
  return CANCEL_EFFECTS.every((effect) => effect === 'waiting' || now[effect] === 0 || asked[effect] > 0);
}

export function effectsTotal(effects: CancelEffects): number {
  return CANCEL_EFFECTS.reduce((total, effect) => total + effects[effect], 0);
}

/** Returns the effects of a cancel, one sentence for each kind. */
export function cancelSentences(effects: CancelEffects): string[] {
  const { waiting, sending, delivered, kept } = effects;
  const { cancel } = texts;
  if (effectsTotal(effects) === 1) {
    const sentence = kept === 1 ? cancel.oneKept : delivered === 1 ? cancel.oneDelivered : cancel.oneSending;
    return [sentence, cancel.oneRest];
  }
  return [
    ...(delivered > 0 ? [cancel.delivered(delivered)] : []),
    ...(kept > 0 ? [cancel.kept(kept)] : []),
    ...(sending > 0 ? [cancel.sending(sending)] : []),
    ...(waiting > 0 ? [cancel.waiting(waiting)] : []),
    cancel.rest,
  ];
}

/** `Cancel “Lecture 4”?`, `Cancel 12 uploads?` */
export function cancelTitle(effects: CancelEffects, title: string | null): string {
  return texts.cancel.title(effectsTotal(effects), title);
}
