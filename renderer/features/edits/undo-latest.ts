import { call } from '../../kit/bridge/bridge.ts';
import { formatListDate } from '../../kit/text/format.ts';
import { useApp } from '../common/state/app-store.ts';
import { attempt, notify } from '../common/state/messages-store.ts';
import { OFFER_UNDO_MS, offerUndo, undoChange, useUndos } from '../common/state/undos.ts';
import { groupName } from './edit-looks.ts';
import { undoGroup } from './state/follow-group.ts';
import { kindOf } from './state/group-outcome.ts';
import { texts } from './texts.ts';

/** Undone groups and undos can precede the change to offer. */
const LOOKED_AT = 50;

/**
 * Undoes the latest change. A change whose offer ended is named first, with a new offer: the user may no longer remember it.
 */
export function undoLatest(): void {
  if (useUndos.getState().undos.length > 0) undoChange();
  else void attempt(offerLatest);
}

async function offerLatest(): Promise<void> {
  const { siteId } = useApp.getState();
  const { groups } = await call('edits.groups', { siteId, offset: 0, limit: LOOKED_AT });
  const group = groups.find(({ canUndo, undoes }) => canUndo && undoes === null);
  if (group === undefined) return void notify(texts.latest.none);
  const { label, of, fields } = groupName(group);
  const name = [`${label} ${of}`, fields].filter((part) => part !== '').join(' · ');
  const when = formatListDate(new Date(group.createdAt).toISOString(), Date.now());
  const undo = () => undoGroup(group.id, { kind: kindOf(group) });
  offerUndo(texts.latest.offer(name, when), OFFER_UNDO_MS, undo, { keepsRedos: true, isListed: true });
}
