import { formatListDate } from '../../kit/text/format.ts';
import { attempt, notify } from '../common/state/messages-store.ts';
import {
  isLatestOffered,
  OFFER_UNDO_MS,
  offerUndo,
  undoChange,
  useUndos,
  withdrawUndo,
} from '../common/state/undos.ts';
import { groupName } from './edit-looks.ts';
import { undoGroup } from './state/follow-group.ts';
import { kindOf } from './state/group-outcome.ts';
import { latestEdit } from './state/latest-edit.ts';
import { texts } from './texts.ts';

/**
 * Undoes the latest change. A change whose offer ended, or that had none, is named first, with a new offer: the user may not
 * remember it, and another change may still be offered.
 */
export function undoLatest(): void {
  if (isLatestOffered()) undoChange();
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
  const { undos } = useUndos.getState();
  if (group === null) {
    // Changes that are no edits, such as a cleared list of uploads, may still be offered.
    const other = undos.findLast(({ groupId }) => groupId === null);
    return other === undefined ? void notify(texts.latest.none) : undoChange(other.messageKey);
  }
  const offered = undos.find(({ groupId }) => groupId === group.id);
  if (offered !== undefined) withdrawUndo(offered.messageKey);
  const { label, of, fields } = groupName(group);
  const name = [`${label} ${of}`, fields].filter((part) => part !== '').join(' · ');
  const when = formatListDate(new Date(group.createdAt).toISOString(), Date.now());
  const undo = () => undoGroup(group.id, { kind: kindOf(group) });
  offerUndo(texts.latest.offer(name, when), OFFER_UNDO_MS, undo, { keepsRedos: true, groupId: group.id });
}
