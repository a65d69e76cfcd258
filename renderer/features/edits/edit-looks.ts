import type { EditGroup, EditState } from '../../../shared/contract/edits.ts';
import type { Site } from '../../../shared/contract/sites.ts';
import type { AnyField } from '../../../shared/model/edits/collection-ops.ts';
import type { StateLook } from '../../kit/text/states.ts';
import { siteOf, useApp } from '../common/state/app-store.ts';
import { texts as sharedTexts } from '../common/texts.ts';
import { attentionOfGroup } from './state/group-outcome.ts';
import { texts } from './texts.ts';

/** The appearance of each state of an edit. */
export const EDIT_LOOKS: Readonly<Record<EditState, StateLook>> = {
  pending: { word: texts.states.pending, icon: 'waiting', tone: 'waiting' },
  held: { word: texts.states.held, icon: 'paused', tone: 'waiting' },
  conflict: { word: texts.states.conflict, icon: 'warning', tone: 'bad' },
  refused: { word: texts.states.refused, icon: 'failed', tone: 'bad' },
  done: { word: texts.states.done, icon: 'complete', tone: 'good' },
  left: { word: texts.states.left, icon: 'skipped', tone: 'neutral' },
  dropped: { word: texts.states.dropped, icon: 'cancelled', tone: 'neutral' },
};

/** Returns the appearance of a group of edits: edits that need the user decide first, then unsent edits. */
export function groupLook(group: EditGroup): StateLook {
  const { counts, items, undoneAt } = group;
  const attention = attentionOfGroup(group);
  if (attention > 0) return { word: texts.by.attention(attention), icon: 'failed', tone: 'bad' };
  if (counts.pending > 0) {
    if (counts.pending === items) return EDIT_LOOKS.pending;
    return { word: texts.by.sending(items - counts.pending, items), icon: 'processing', tone: 'active' };
  }
  if (undoneAt !== null) return { word: texts.by.undone, icon: 'cancelled', tone: 'neutral' };
  if (counts.dropped === items) return EDIT_LOOKS.dropped;
  if (counts.left > 0) return { word: texts.by.left(counts.left), icon: 'skipped', tone: 'neutral' };
  if (counts.dropped > 0) return { word: texts.by.dropped(counts.dropped), icon: 'cancelled', tone: 'neutral' };
  return EDIT_LOOKS.done;
}

/** The parts of a group's name. */
interface GroupName {
  label: string;
  /** The title of its only item, or the number of items. */
  of: string;
  /** The changed fields; empty when the label says what changes. */
  fields: string;
}

/** Returns the name of a group: its label or what it does, its items, and the fields that it changes. */
export function groupName(group: EditGroup): GroupName {
  const { change, fields, undoes, items, firstName } = group;
  const isOfCollections = change !== null && 'collection' in change;
  const act = actOf(group);
  const known = isOfCollections ? texts.collectionChanges[change.collection] : (act ?? texts.unnamed);
  const own = group.label === '' ? known : group.label;
  const isClear = act !== null || fields.every((field) => CLEAR.has(field));
  const many = isOfCollections ? texts.collections(items) : texts.items(items);
  return {
    label: undoes === null ? own : texts.undoOf(own),
    of: items === 1 ? texts.one(firstName || texts.untitled) : many,
    fields: isClear ? '' : fields.map((field) => sharedTexts.fields[field]).join(', '),
  };
}

/** Fields of changes that a label always names. */
const CLEAR: ReadonlySet<AnyField> = new Set(['item', 'created', 'parent']);

/** Returns the word for a group that does one thing to items; null for an edit of values. */
function actOf({ change, fields }: EditGroup): string | null {
  const { acts } = texts;
  const [field, ...others] = fields;
  if (field === 'item') return acts.delete;
  if (others.length > 0) return null;
  if (field === 'collection') return acts.move;
  if (field !== 'publication' || change === null || 'collection' in change) return null;
  const kind = change.publication?.kind;
  if (kind === undefined) return null;
  return { now: acts.publish, at: acts.schedule, series: acts.schedule, unpublish: acts.unpublish }[kind];
}

/** Returns the account of an edit, with its library; null for the account that the window shows. */
export function otherAccountOf(site: Pick<Site, 'id' | 'accountName' | 'displayName'> | null, shownId: string | null) {
  if (site === null || site.id === shownId) return null;
  return texts.account(site.accountName, site.displayName);
}

/** Returns the account of an edit like `otherAccountOf`. */
export function useOtherAccount(siteId: string | null): string | null {
  return useApp((state) => otherAccountOf(siteOf(state, siteId), state.siteId));
}
