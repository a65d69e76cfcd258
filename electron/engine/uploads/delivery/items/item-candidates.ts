import { AGREEMENT, longestOf, titleAgreement } from '../../../../../shared/model/title-match.ts';

/** An upload of this profile whose item may have been created: the intent is stored, and the id of the item is not. */
export interface OpenCreation {
  id: string;
  title: string;
  intendedAt: number;
  /** Its request is still in flight. */
  isRunning: boolean;
}

/** An item of the collection that no upload of this profile owns and that has no files. */
export interface ItemCandidate {
  id: string;
  /** The title as the library shows it. */
  title: string;
  /** `created_on` of the library; null: unknown. */
  createdOn: string | null;
  /** True: created within minutes of the upload's intent; false: created at a time that is possible only if a clock is wrong. */
  isNear: boolean;
}

export type ItemDecision =
  | { kind: 'adopt'; mediaId: string }
  /** One of the items may belong to a creation of ours that is still in flight. */
  | { kind: 'wait' }
  /** One of these may be ours, and only the user knows. */
  | { kind: 'ask'; candidates: ItemCandidate[] }
  /** No item of the list can be ours. */
  | { kind: 'none' };

/**
 * Decides by exclusion which item belongs to the creation `mine`. `others`: the other open creations of the same
 * collection. `listed`: the titles of all listed items, which show how long a title can be in this library.
 *
 * A requested title explains an item when the library can have made the item's title from it. An item is used when the title of
 * `mine` explains it and it belongs to no other upload. Uploads whose titles explain the same items equally well get them in the
 * order of their creation. The user decides about an item that no title explains.
 */
export function decideItem(
  mine: OpenCreation,
  others: readonly OpenCreation[],
  candidates: readonly ItemCandidate[],
  listed: Iterable<string>,
): ItemDecision {
  const longest = longestOf(listed);
  const agreement = ({ title }: OpenCreation, candidate: ItemCandidate) =>
    titleAgreement(title, candidate.title, longest);
  const isOthers = (candidate: ItemCandidate) =>
    others.some((other) => agreement(other, candidate) > agreement(mine, candidate));

  const near = candidates.filter((each) => each.isNear && !isOthers(each));
  const explained = near.filter((each) => agreement(mine, each) > AGREEMENT.none);
  if (explained.length > 0) return chooseAmong(mine, others, explained, agreement);

  const isAnyRunning = others.some(({ isRunning }) => isRunning);
  if (near.length > 0) return isAnyRunning ? { kind: 'wait' } : { kind: 'ask', candidates: near };
  // The clock that dates items may differ from the clock that dates answers: when in doubt, the user decides.
  const far = candidates.filter((each) => !isOthers(each) && agreement(mine, each) >= AGREEMENT.changed);
  return far.length > 0 ? { kind: 'ask', candidates: far } : { kind: 'none' };
}

function chooseAmong(
  mine: OpenCreation,
  others: readonly OpenCreation[],
  explained: readonly ItemCandidate[],
  agreement: (creation: OpenCreation, candidate: ItemCandidate) => number,
): ItemDecision {
  const best = Math.max(...explained.map((each) => agreement(mine, each)));
  const fitting = explained.filter((each) => agreement(mine, each) === best);
  const rivals = others.filter((other) => fitting.some((each) => agreement(other, each) === best));
  if (rivals.some(({ isRunning }) => isRunning)) return { kind: 'wait' };
  const claims = [mine, ...rivals].sort((a, b) => a.intendedAt - b.intendedAt || (a.id < b.id ? -1 : 1));
  // More items than creations of ours: at least one belongs to another user.
  if (fitting.length > claims.length) return { kind: 'ask', candidates: fitting };
  const inOrder = [...fitting].sort((a, b) => (a.createdOn ?? '').localeCompare(b.createdOn ?? ''));
  const chosen = inOrder[Math.min(claims.indexOf(mine), inOrder.length - 1)];
  return chosen === undefined ? { kind: 'none' } : { kind: 'adopt', mediaId: chosen.id };
}
