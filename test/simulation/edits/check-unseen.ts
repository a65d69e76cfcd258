import type { StoredOp } from '../../../electron/engine/edits/journal/edit-row.ts';
import { type Instants, isBetween, type Publication } from '../../../shared/model/edits/edit-ops.ts';
import { isDeletedWithCollection } from './check-deletions.ts';
import type { EditHistory, EffectFact, Watched } from './edit-history.ts';
import { effectsOn, isSameValue, opsOf, wantedOf } from './item-ops.ts';
import { publicationOf, watchedValue } from './library-model.ts';
import { isPerhapsOwn } from './placed-ops.ts';

/** A program overwrites a value of someone else only after its person has seen that value. */
export function nothingUnseenIsOverwritten(history: EditHistory): string[] {
  return history.effects.flatMap((effect, index) => {
    const { atMs, by, itemId, field, before, known, library } = effect;
    if (by === 'editor' || known === null || field.startsWith('tag ')) return [];
    if (isDeletedWithCollection(history, effect)) return [];
    if (field === 'item') return unseenDeletion(history, effect);
    const serverIds = history.final.accounts.find(({ site }) => site === by)?.serverIds ?? {};
    const replaced = watchedValue(known, field as Watched);
    const hasSeen = history.seen.some(
      (each) =>
        each.site === by &&
        each.itemId === itemId &&
        each.field === field &&
        each.atMs <= atMs &&
        isSameValue(history, field, serverIds[each.value] ?? each.value, replaced),
    );
    if (hasSeen) return [];
    // A program may overwrite its own earlier value.
    const isOwn = history.effects
      .slice(0, index)
      .some(
        (each) =>
          each.library === library &&
          each.by === by &&
          each.itemId === itemId &&
          each.field === field &&
          isSameValue(history, field, each.after, replaced),
      );
    return isOwn || isTakenForOwn(history, effect, replaced)
      ? []
      : [`at ${atMs}: ${by} overwrote ${field} of item ${itemId}: “${before}”, which its person had not seen`];
  });
}

/**
 * Whether a program could not know that someone else wrote a value: its person had sent the same value, and that request
 * arrived later, or never, such as when the program died after storing that it sends it. No client can tell who of them wrote
 * the value, and an undo replaces it. The same applies to an item that its person published after someone else had: only the
 * date is not its own.
 */
function isTakenForOwn(
  history: EditHistory,
  { by, itemId, field, atMs }: Pick<EffectFact, 'by' | 'itemId' | 'field' | 'atMs'>,
  value: string,
): boolean {
  const wasRequested = history.requests.some(
    ({ site, method, path, fromMs }) =>
      site === by && method === 'POST' && fromMs < atMs && `${path}/`.startsWith(`/api2/media/${itemId}/`),
  );
  return opsOf(history.final.accounts).some(({ account, record, stored, op }) => {
    if (account.site !== by || record.entityId !== itemId) return false;
    if (stored.outcome === 'same' && op.kind === 'publish' && field === 'publication') {
      return isPublication(stored.wrote) && isSameValue(history, field, publicationOf(stored.wrote), value);
    }
    if (!isPerhapsOwn(stored)) return false;
    if (!wasRequested && stored.isUnanswered !== true) return false;
    const wanted = wantedOf(op);
    if (wanted.field !== field) return false;
    if (op.kind === 'publish' && op.when === 'now') {
      return (
        isPublishedMeanwhile(history, by, itemId, value) || isPublishedLate(history, { by, itemId, stored, op }, value)
      );
    }
    return wanted.value !== null && isSameValue(history, field, wanted.value, value);
  });
}

function isPublication(value: unknown): value is Publication {
  return typeof value === 'object' && value !== null && 'status' in value && 'publishOn' in value;
}

/**
 * Whether an item became public when a request to publish it can have taken effect that got no answer, or got none before the edit
 * was dropped: the library may carry it out later.
 */
function isPublishedLate(
  { requests }: EditHistory,
  { by, itemId, stored, op }: { by: string; itemId: string; stored: StoredOp; op: { between?: Instants } },
  value: string,
): boolean {
  if (op.between === undefined || !isBetween(value.replace(/^public /, ''), op.between)) return false;
  const path = `/api2/media/${itemId}/publish`;
  const wasUnanswered = requests.some(
    (each) => each.site === by && each.path === path && !/^\d{3}| \d{3}$/.test(each.result),
  );
  return stored.isUnanswered === true || wasUnanswered;
}

/** Whether an item was published in the second in which an account asked for it, too: the answer says when, and not by whom. */
function isPublishedMeanwhile({ effects, requests }: EditHistory, by: string, itemId: string, value: string): boolean {
  const published = effects.filter(
    (each) => each.itemId === itemId && each.field === 'publication' && each.after === value,
  );
  const asked = requests.filter((each) => each.site === by && each.path === `/api2/media/${itemId}/publish`);
  return published.some(({ atMs }) =>
    asked.some(({ fromMs, toMs }) => fromMs - 1000 <= atMs && atMs <= (toMs ?? Number.POSITIVE_INFINITY)),
  );
}

/** The person who deletes an item has seen all its values. */
function unseenDeletion(history: EditHistory, { atMs, by, itemId, known, library }: EffectFact): string[] {
  if (known === null) return [];
  return (['title', 'byline', 'description', 'collectionId', 'publication'] as const).flatMap((field) => {
    const value = watchedValue(known, field);
    const isSeen = history.seen.some(
      (each) =>
        each.site === by &&
        each.itemId === itemId &&
        each.field === field &&
        each.atMs <= atMs &&
        isSameValue(history, field, each.value, value),
    );
    const isOwn = effectsOn(history, library, itemId, field).some(
      (each) => each.by === by && isSameValue(history, field, each.after, value),
    );
    return isSeen || isOwn || isTakenForOwn(history, { by, itemId, field, atMs }, value)
      ? []
      : [`at ${atMs}: ${by} deleted item ${itemId} with the ${field} “${value}”, which its person had not seen`];
  });
}
