import type { EditHistory } from './edit-history.ts';

type Rule = (history: EditHistory) => string[];

/** The rules for undos, and for items that are created again. */
export const UNDO_RULES: Readonly<Record<string, Rule>> = { undosAskNothing, itemsAreRestoredOnce };

/** The choices that answer a question. */
const ANSWERS: ReadonlySet<string> = new Set(['mine', 'theirs', 'value', 'now', 'at']);

/** An undo never asks: it does not change what someone changed since. */
function undosAskNothing({ decisions, final }: EditHistory): string[] {
  return final.accounts.flatMap((account) => {
    const undos = new Set(account.groups.filter(({ undoes }) => undoes !== null).map(({ seq }) => seq));
    const own = new Set(account.records.filter(({ groupSeq }) => undos.has(groupSeq)).map(({ seq }) => seq));
    return decisions
      .filter(({ site, seq, choice }) => site === account.site && own.has(seq) && ANSWERS.has(choice))
      .map(({ seq, field }) => `${account.site}: record ${seq} of an undo asked about ${field}`);
  });
}

/** An item that someone else deleted is created again once for each refused edit, however often its person tries. */
function itemsAreRestoredOnce({ effects, final }: EditHistory): string[] {
  return final.accounts.flatMap(({ site, library, records }) => {
    const made = effects.filter(
      (each) => each.library === library && each.by === site && each.field === 'item' && each.after === 'yes',
    );
    const attempted = records.filter(({ ops }) => (ops ?? []).some(({ sentItems = [] }) => sentItems.length > 0));
    return made
      .slice(attempted.length)
      .map(({ atMs, itemId }) => `at ${atMs}: ${site} created item ${itemId}, which was restored already`);
  });
}
