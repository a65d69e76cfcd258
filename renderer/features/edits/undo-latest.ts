import { formatListDate } from '../../kit/text/format.ts';
import { attempt, notify } from '../common/state/messages-store.ts';
import { OFFER_UNDO_MS, offerUndo, undoChange, useUndos } from '../common/state/undos.ts';
import { groupName } from './edit-looks.ts';
import { undoGroup } from './state/follow-group.ts';
import { kindOf } from './state/group-outcome.ts';
import { latestEdit } from './state/latest-edit.ts';
import { texts } from './texts.ts';

/**
 * Undoes the latest change. A change whose offer ended is named first, with a new offer: the user may no longer remember it.
 */
export function undoLatest(): void {
  if (useUndos.getState().undos.length > 0) undoChange();
  // A second press before the answer would offer the same change twice.
  else if (!isAsking) {
    isAsking = true;
    void attempt(offerLatest).then(() => {
      isAsking = false;
    });
  }
}

let isAsking = false;

async function offerLatest(): Promise<void> {
  const group = await latestEdit();
  if (group === null) return void notify(texts.latest.none);
  const { label, of, fields } = groupName(group);
  const name = [`${label} ${of}`, fields].filter((part) => part !== '').join(' · ');
  const when = formatListDate(new Date(group.createdAt).toISOString(), Date.now());
  const undo = () => undoGroup(group.id, { kind: kindOf(group) });
  offerUndo(texts.latest.offer(name, when), OFFER_UNDO_MS, undo, { keepsRedos: true, isListed: true });
}
