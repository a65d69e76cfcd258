import type { EditRecord, GroupRecord, StoredOp } from '../../../electron/engine/edits/journal/edit-row.ts';
import { isOpenState } from '../../../electron/engine/edits/journal/edit-row.ts';
import { keyOfOp } from '../../../shared/model/edits/fold.ts';
import type { Violation } from '../checker/check-history.ts';
import { WORLD_EPOCH_MS } from '../world/virtual-time.ts';
import { isBehindUndo } from './behind-undo.ts';
import { COLLECTION_RULES, isRedo } from './check-collections.ts';
import { isDeletedWithCollection } from './check-deletions.ts';
import { whatIsKeptIsAskedOnce } from './check-kept.ts';
import { nothingIsPublishedAtAnotherTime } from './check-publications.ts';
import { UNDO_RULES } from './check-undos.ts';
import { nothingUnseenIsOverwritten } from './check-unseen.ts';
import type { EditHistory, EffectFact, FinalAccount, Watched } from './edit-history.ts';
import { OTHER_SITE } from './edit-scenario.ts';
import { effectsOn, isSameValue, opsOf, type PlacedItemOp, wantedOf } from './item-ops.ts';
import { decidesLater, isGivenUp } from './placed-ops.ts';

type Rule = (history: EditHistory) => string[];

/** The rules that hold in every run, by the names of the guarantees. */
const RULES: Readonly<Record<string, Rule>> = {
  nothingUnexpected: ({ faults }) => faults.map(({ atMs, event, text }) => `at ${atMs}: ${event}: ${text}`),
  databasesAreSound: ({ final }) => final.integrity.filter((verdict) => verdict !== 'ok'),
  everyIntentEnds,
  nothingAcceptedVanishes,
  endedIntentsTellTheTruth,
  nothingUnseenIsOverwritten,
  mirrorsEqualTheLibrary,
  questionsEnd,
  nothingIsSentTwice,
  heldEditsBlockNothingElse: ({ final }) =>
    final.accounts.flatMap(({ site, waiting }) =>
      waiting.map(
        ({ seq, entityId, error }) =>
          `${site}: record ${seq} of item ${entityId} waits for nothing, ${error?.code ?? 'no error'}`,
      ),
    ),
  undoRestoresUnchangedValues,
  undosAreComplete,
  undoneValuesAreGone,
  questionsHaveAReason,
  nothingIsPublishedAtAnotherTime,
  changesAreFoundWithoutASweep,
  accountsStayApart,
  whatIsKeptIsAskedOnce,
  ...COLLECTION_RULES,
  ...UNDO_RULES,
};

export function checkEdits(history: EditHistory): Violation[] {
  return Object.entries(RULES).flatMap(([rule, check]) => check(history).map((text) => ({ rule, text })));
}

function everyIntentEnds({ final }: EditHistory): string[] {
  return final.accounts.flatMap(({ site, records, groups }) => [
    ...records
      .filter(({ state }) => isOpenState(state))
      .map(
        ({ seq, entityId, state, error }) =>
          `${site}: record ${seq} of item ${entityId} is ${state}, ${error?.code ?? 'no error'}`,
      ),
    ...groups.filter(({ endedAt }) => endedAt === null).map(({ id }) => `${site}: group ${id} has not ended`),
  ]);
}

function nothingAcceptedVanishes({ accepted, final }: EditHistory): string[] {
  return accepted.flatMap(({ site, groupId, items }) => {
    const account = final.accounts.find((each) => each.site === site);
    const group = account?.groups.find(({ id }) => id === groupId);
    if (account === undefined || group === undefined) return [`${site}: group ${groupId} is gone`];
    const count = account.records.filter(({ groupSeq }) => groupSeq === group.seq).length;
    return count === items ? [] : [`${site}: group ${groupId} has ${count} of ${items} records`];
  });
}

/** The outcome of each op is true: the library had the value of a `sent` op; `superseded` and `dropped` have a reason. */
function endedIntentsTellTheTruth(history: EditHistory): string[] {
  const all = opsOf(history.final.accounts);
  return all.flatMap((placed) => {
    const { account, record, stored, op } = placed;
    const { field, value } = wantedOf(op);
    const { library, site } = account;
    const what = `${site}: ${op.kind} of record ${record.seq}, item ${record.entityId}, is ${stored.outcome}`;
    const effects = effectsOn(history, library, record.entityId, field);
    const isThere = effects.some((effect) =>
      value === null ? effect.after !== 'draft' : isSameValue(history, field, effect.after, value),
    );
    const wasThere = value === null || effects.some(({ before }) => isSameValue(history, field, before, value));
    switch (stored.outcome) {
      case 'sent':
        // The library may have received an earlier edit that counts as refused: so going back to the first value is sent, too.
        return isThere || wasThere || goesBack(all, placed) ? [] : [`${what}, but the library never had it`];
      case 'same':
        return isKnownAsOwn(history, all, placed) ? [] : [`${what}, but it was sent by this account`];
      case 'superseded': {
        const key = keyOfOp(op);
        const others = all.filter(
          (each) =>
            each !== placed &&
            each.account === account &&
            each.record.entityId === record.entityId &&
            (keyOfOp(each.op) === key || (each.op.kind === 'delete' && !isGivenUp(each.stored))),
        );
        return others.length > 0 ? [] : [`${what}, but nothing took its place`];
      }
      case 'dropped':
      case 'theirs': {
        const isDecided = history.decisions.some(
          (each) =>
            each.site === site &&
            each.choice !== 'retry' &&
            each.itemId === record.entityId &&
            (each.seq === record.seq || each.seq === -1 || decidesLater(each, record.seq)),
        );
        // A single edit that is refused or meets a conflict is dropped, because its caller gets the error.
        const isSingle =
          account.groups.find(({ seq }) => seq === record.groupSeq)?.items === 1 && record.error !== null;
        return isDecided || isSingle ? [] : [`${what}, but the person decided nothing`];
      }
      default:
        return [];
    }
  });
}

/** Whether an op only takes back an earlier op of the same account, which it superseded. */
function goesBack(all: readonly PlacedItemOp[], { account, record, op }: PlacedItemOp): boolean {
  return all.some(
    (each) =>
      each.account === account &&
      each.record.entityId === record.entityId &&
      each.record.seq < record.seq &&
      each.stored.outcome === 'superseded' &&
      keyOfOp(each.op) === keyOfOp(op),
  );
}

/** Whether an op may end as `same`: the account did not give the item that value, or another edit of the account has it, too. */
function isKnownAsOwn(history: EditHistory, all: readonly PlacedItemOp[], placed: PlacedItemOp): boolean {
  const { account, record, op } = placed;
  if (op.kind !== 'set-field') return true;
  const isValue = (value: string) => isSameValue(history, op.field, value, op.mine);
  const effects = effectsOn(history, account.library, record.entityId, op.field);
  if (
    effects.some(({ by, after }) => by !== account.site && isValue(after)) ||
    effects.some(({ before }) => isValue(before))
  )
    return true;
  if (!effects.some(({ after }) => isValue(after))) return true;
  return all.some(
    (each) =>
      each !== placed &&
      each.account === account &&
      each.record.entityId === record.entityId &&
      each.op.kind === 'set-field' &&
      each.op.field === op.field &&
      (isValue(each.op.mine) || isValue(each.op.base)),
  );
}

/** An edit asks about a value only when someone else changed it. */
function questionsHaveAReason(history: EditHistory): string[] {
  return history.decisions.flatMap(({ atMs, site, seq, itemId, field, choice }) => {
    const isAbout = ['title', 'byline', 'description', 'collection'].includes(field);
    const isDate = field === 'publication' && (choice === 'mine' || choice === 'theirs');
    if (seq < 0 || !(isAbout || isDate) || choice === 'drop') return [];
    const library = history.final.accounts.find((each) => each.site === site)?.library ?? '';
    // The date that the library gave to a publication is not known when the item could not be read afterwards.
    const isExplained = hasUnreadItem(history, site, itemId) || hasBecomePublic(history, library, itemId, atMs);
    if (isDate && isExplained) return [];
    const watched = field === 'collection' ? 'collectionId' : (field as Watched);
    const account = history.final.accounts.find((each) => each.site === site);
    if (itemId.startsWith('collection ') || account === undefined || isRedo(account, seq)) return [];
    if (isBehindUndo(account, seq, field)) return [];
    const isReal = effectsOn(history, library, itemId, watched).some(
      (each) => (each.by !== site || isLateOfDead(history, each)) && each.atMs <= atMs,
    );
    return isReal
      ? []
      : [`${site}: record ${seq} asked about ${field} of item ${itemId}, which no other program changed`];
  });
}

/** Whether a request without an answer took effect after its program ended: the next program may have read the old value. */
function isLateOfDead({ requests, lives }: EditHistory, { by, itemId, atMs }: EffectFact): boolean {
  return requests.some(({ site, method, path, fromMs, toMs, life }) => {
    if (site !== by || method !== 'POST' || fromMs > atMs || toMs !== null) return false;
    if (!`${path}/`.startsWith(`/api2/media/${itemId}/`)) return false;
    return (lives.find(({ number }) => number === life)?.toMs ?? Number.POSITIVE_INFINITY) < atMs;
  });
}

/** Whether a publish time of an item has passed: who edited it as a scheduled item is asked, because it is public now. */
function hasBecomePublic(history: EditHistory, library: string, itemId: string, untilMs: number): boolean {
  const { clockAheadMs } = history.scenario.service;
  return effectsOn(history, library, itemId, 'publication').some(({ atMs, after }) => {
    const comesAtMs = Date.parse(after.replace('public ', '')) - WORLD_EPOCH_MS - clockAheadMs;
    return comesAtMs > atMs && comesAtMs <= untilMs;
  });
}

function hasUnreadItem({ requests }: EditHistory, site: string, itemId: string): boolean {
  return requests.some(
    (each) =>
      each.site === site &&
      each.method === 'GET' &&
      each.path === `/api2/media/${itemId}` &&
      !/^2\d\d$/.test(each.result),
  );
}

const HIDING: ReadonlySet<string> = new Set(['hide', 'show', 'hide-collection', 'show-collection']);

/** Creations, deletions, and changes that move `modified_on` are found at once, without a sweep. */
function changesAreFoundWithoutASweep(history: EditHistory): string[] {
  const { effects, final, scenario } = history;
  // In the counts, an item that was missing in a list can compensate for a deletion: then only the sweep finds both.
  const hasHidden =
    scenario.acts.some(({ kind }) => HIDING.has(kind)) ||
    scenario.troubles.some(({ kind }) => kind === 'lists-partial' || kind === 'lists-empty');
  return final.early.flatMap(({ site, library, mirrored, expected }) =>
    [...new Set([...Object.keys(mirrored), ...Object.keys(expected)])].flatMap((id) => {
      const [one, other] = [mirrored[id], expected[id]];
      if (one === undefined || other === undefined) {
        return one === other || hasHidden
          ? []
          : [`${site}: item ${id} is ${one ?? 'missing'}, in the library ${other ?? 'missing'}`];
      }
      const isSilent = effects.some((each) => each.library === library && each.itemId === id && each.isSilent);
      return isSilent || hasHidden || one === other || JSON.parse(other)[5] === 'published'
        ? []
        : [`${site}: item ${id} is ${one}, in the library ${other}`];
    }),
  );
}

function mirrorsEqualTheLibrary({ final }: EditHistory): string[] {
  return final.accounts.flatMap(({ site, mirrored, listed, expected }) => {
    const faults: string[] = [];
    for (const id of new Set([...Object.keys(mirrored), ...Object.keys(expected), ...Object.keys(listed)])) {
      if (mirrored[id] !== expected[id])
        faults.push(`${site}: item ${id} is ${mirrored[id]}, in the library ${expected[id]}`);
      else if (listed[id] !== shownOf(expected[id]))
        faults.push(`${site}: item ${id} is listed as ${listed[id]}, in the library ${expected[id]}`);
    }
    return faults;
  });
}

/** What a list shows of an item without pending edits. */
function shownOf(item: string | undefined): string | undefined {
  if (item === undefined) return undefined;
  const [title, byline, , tags, collectionId, status, publishOn] = JSON.parse(item) as unknown[];
  return JSON.stringify([title, byline, tags, collectionId, status, publishOn, null]);
}

/** An edit asks at most one question for each change of someone else. */
function questionsEnd(history: EditHistory): string[] {
  const asked = new Map<string, number>();
  for (const { site, seq, itemId, field, choice } of history.decisions) {
    if (seq < 0 || field === '*' || choice === 'theirs' || itemId.startsWith('collection ')) continue;
    const key = JSON.stringify([site, seq, itemId, field]);
    asked.set(key, (asked.get(key) ?? 0) + 1);
  }
  return [...asked].flatMap(([key, count]) => {
    const [site, seq, itemId, field] = JSON.parse(key) as [string, number, string, string];
    const account = history.final.accounts.find((each) => each.site === site);
    if (account !== undefined && isBehindUndo(account, seq, field)) return [];
    const theirs = history.effects.filter(
      (each) =>
        each.library === account?.library &&
        each.itemId === itemId &&
        (each.by !== site || isLateOfDead(history, each)),
    );
    // A publish time can pass once more after each answer. A redo also asks about a later value of the same account.
    const others = field === 'publication' || field === 'item' ? 3 : 0;
    const most = theirs.length + others + (account !== undefined && isRedo(account, seq) ? 1 : 0);
    return count <= most
      ? []
      : [
          `${site}: record ${seq} asked ${count} times about ${field} of item ${itemId}, which others changed ${theirs.length} times`,
        ];
  });
}

/** The same edit changes the library once, unless its person decides to send it again. */
function nothingIsSentTwice(history: EditHistory): string[] {
  const all = opsOf(history.final.accounts);
  return history.effects.flatMap((effect, index) => {
    if (effect.by === 'editor' || effect.field.startsWith('tag ') || effect.field === 'publication') return [];
    // Not counted: an item that its person created again, or that was deleted with its collection.
    if (effect.field === 'item' && (effect.after === 'yes' || isDeletedWithCollection(history, effect))) return [];
    const isAlike = (each: EffectFact) =>
      each.by === effect.by &&
      each.itemId === effect.itemId &&
      each.field === effect.field &&
      isSameValue(history, each.field, each.after, effect.after);
    const earlier = history.effects
      .slice(0, index)
      .filter((each) => isAlike(each) && !isUnknowable(history, each, effect.atMs));
    const count = earlier.length + 1;
    const intents = all.filter(
      ({ account, record, op }) =>
        account.site === effect.by &&
        record.entityId === effect.itemId &&
        wantedOf(op).field === effect.field &&
        isSameValue(history, effect.field, wantedOf(op).value ?? '', effect.after),
    ).length;
    const decided = history.decisions.filter(
      ({ site, itemId }) => site === effect.by && itemId === effect.itemId,
    ).length;
    return count <= intents + decided
      ? []
      : [
          `at ${effect.atMs}: ${effect.by} set ${effect.field} of item ${effect.itemId} to “${effect.after}” for the ${count}th time`,
        ];
  });
}

/** The longest time that a program needs to store that an answer arrived. */
const NOTED_WITHIN_MS = 50;

/**
 * Whether a program could not know that its request took effect: no answer arrived, or the program ended before it stored the
 * answer, and someone else changed the value back to what it was before, at `untilMs` at the latest. No client can tell that
 * from a request that was lost: it sends the edit again.
 */
function isUnknowable(
  history: EditHistory,
  { library, by, itemId, field, atMs, before }: EffectFact,
  untilMs: number,
): boolean {
  const request = history.requests.findLast(
    (each) =>
      each.site === by && each.method === 'POST' && each.path === `/api2/media/${itemId}` && each.fromMs <= atMs,
  );
  if (request === undefined) return false;
  const endedAt = history.lives.find(({ number }) => number === request.life)?.toMs ?? Number.POSITIVE_INFINITY;
  const isNoted = /^2\d\d$/.test(request.result) && (request.toMs ?? endedAt) + NOTED_WITHIN_MS < endedAt;
  if (isNoted) return false;
  return effectsOn(history, library, itemId, field).some(
    (each) =>
      each.by !== by && each.atMs >= atMs && each.atMs <= untilMs && isSameValue(history, field, each.after, before),
  );
}

/** After an undo, values that did not change since are what they were before. */
function undoRestoresUnchangedValues(history: EditHistory): string[] {
  return history.final.accounts.flatMap((account) =>
    account.groups.flatMap((group) => {
      const undoing = account.groups.find(({ undoes }) => undoes === group.id);
      if (undoing === undefined || group.undoneBy === null) return [];
      return account.records
        .filter(({ groupSeq }) => groupSeq === group.seq)
        .flatMap((record) =>
          (record.ops ?? []).flatMap((stored) => unrestored(history, account, record, stored, undoing)),
        );
    }),
  );
}

function unrestored(
  history: EditHistory,
  account: FinalAccount,
  record: EditRecord,
  { op, outcome }: StoredOp,
  undoing: GroupRecord,
): string[] {
  if (outcome !== 'sent' || op.kind !== 'set-field') return [];
  const effects = effectsOn(history, account.library, record.entityId, op.field);
  const own = effects.findIndex(
    ({ by, after }) => by === account.site && isSameValue(history, op.field, after, op.mine),
  );
  const last = effects.at(-1);
  // Not checked: someone changed the value since, such as the undo itself.
  if (own < 0 || last !== effects[own]) return [];
  const opIn = (group: GroupRecord | undefined) =>
    account.records
      .find(({ groupSeq, entityId }) => groupSeq === group?.seq && entityId === record.entityId)
      ?.ops?.find((each) => each.op.kind === 'set-field' && each.op.field === op.field);
  const undone = opIn(undoing);
  // An undo that was undone in its turn has brought the value back.
  if (opIn(account.groups.find(({ undoes }) => undoes === undoing.id))?.outcome === 'sent') return [];
  // An undo that reads an older value than the one that was sent changes nothing, and is shown as `left`.
  const undoneAtMs = history.decisions.find(
    (each) => each.site === account.site && each.seq === record.seq && each.choice === 'undo',
  )?.atMs;
  const lateMs = history.scenario.service.commitsLateMs ?? 0;
  if (undone?.outcome === 'left' && lateMs > 0 && (last?.atMs ?? 0) + lateMs > (undoneAtMs ?? 0)) return [];
  const isEnded = undone === undefined || !['sent', 'same', 'left'].includes(undone.outcome ?? '');
  // It may be dropped, refused, or superseded by a later edit. `left` is wrong as well, because nobody changed the value.
  return isEnded
    ? []
    : [`${account.site}: undo of record ${record.seq} left “${last?.after}” in ${op.field} of item ${record.entityId}`];
}

/** The library has no value whose edit an undo dropped, even if its request took effect before, unless it is wanted again. */
function undoneValuesAreGone(history: EditHistory): string[] {
  const all = opsOf(history.final.accounts);
  return all.flatMap(({ account, record, stored, op }) => {
    const isRedone = account.groups.some(({ seq, redoneBy }) => seq === record.groupSeq && redoneBy !== null);
    if (stored.outcome !== 'dropped' || stored.isUndone !== true || op.kind !== 'set-field' || isRedone) return [];
    const same = all.filter(
      (each) =>
        each.account === account &&
        each.record.entityId === record.entityId &&
        each.record.seq !== record.seq &&
        keyOfOp(each.op) === keyOfOp(op),
    );
    const hasOthers = same.some(
      (each) => each.stored.outcome !== 'sent' && each.stored.outcome !== 'same' && each.record.state !== 'done',
    );
    const last = effectsOn(history, account.library, record.entityId, op.field).at(-1);
    const isOwn = last?.by === account.site && isSameValue(history, op.field, last.after, op.mine);
    const isWanted = same.some((each) => isSameValue(history, op.field, wantedOf(each.op).value ?? '', op.mine));
    // What is deleted has no values: the library has nothing that an undo could take back.
    const isDeleted = effectsOn(history, account.library, record.entityId, 'item').at(-1)?.after === 'no';
    // The account could not see the item when its person undid the edit: nothing can be restored in what looks deleted.
    const isHidden = record.error?.code === 'edit.item-gone';
    if (hasOthers || !isOwn || isWanted || isDeleted || isHidden || isLateFor(history, account, record, last))
      return [];
    return [
      `${account.site}: the undo of record ${record.seq} left “${last.after}” in ${op.field} of item ${record.entityId}`,
    ];
  });
}

/** Whether a request without an answer took effect, or was shown by reads, only after its undo: no client can know that. */
function isLateFor(
  { decisions, scenario }: EditHistory,
  { site }: FinalAccount,
  { seq }: EditRecord,
  effect: EffectFact | undefined,
): boolean {
  const undo = decisions.find((each) => each.site === site && each.seq === seq && each.choice === 'undo');
  return scenario.service.commitsLateMs !== undefined || (effect?.atMs ?? 0) >= (undo?.atMs ?? 0);
}

/** An undone group has a group that restores everything that was sent, except in what was deleted since, and none of its edits is open. */
function undosAreComplete({ final }: EditHistory): string[] {
  return final.accounts.flatMap(({ site, groups, records }) =>
    groups.flatMap(({ id, seq, undoneAt, undoneBy, redoneBy }) => {
      if (undoneAt === null || redoneBy !== null) return [];
      const undoSeq = groups.find((each) => each.id === undoneBy)?.seq;
      const undo = records.filter(({ groupSeq }) => groupSeq === undoSeq);
      const restored = new Set(undo.map(({ entityId }) => entityId));
      const undoneFrom = Math.min(...undo.map((record) => record.seq));
      const deletions = records.filter((each) => each.seq < undoneFrom && each.state === 'done' && isDeletion(each));
      const own = records.filter(({ groupSeq, entityId }) => groupSeq === seq && !restored.has(entityId));
      const isGone = (record: EditRecord) =>
        deletions.some((each) => each.entityId === record.entityId && each.seq > record.seq);
      const left = own.filter(
        (record) => isOpenState(record.state) || ((record.ops ?? []).some(isRestorable) && !isGone(record)),
      );
      return left.map((record) => `${site}: the undo of group ${id} left record ${record.seq}`);
    }),
  );
}

function isDeletion({ ops }: EditRecord): boolean {
  return (ops ?? []).some(({ op }) => op.kind === 'delete' || op.kind === 'delete-collection');
}

function isRestorable({ op, outcome }: StoredOp): boolean {
  return outcome === 'sent' && op.kind !== 'delete' && op.kind !== 'delete-collection';
}

/** What one account does never reaches the library of another. */
function accountsStayApart(history: EditHistory): string[] {
  return history.effects
    .filter(({ library, by }) => by !== 'editor' && (library === 'other') !== (by === OTHER_SITE))
    .map(({ atMs, by, itemId, library }) => `at ${atMs}: ${by} changed item ${itemId} of the library ${library}`);
}
