import type { EditHistory } from './edit-history.ts';

type Rule = (history: EditHistory) => string[];

/** What holds for undos, and for what is made again. */
export const UNDO_RULES: Readonly<Record<string, Rule>> = { undosAskNothing, itemsAreRestoredOnce };

/** Answers to questions. */
const ANSWERS: ReadonlySet<string> = new Set(['mine', 'theirs', 'value', 'now', 'at']);

/** An undo leaves alone what someone changed since: it never asks about it. */
function undosAskNothing({ decisions, final }: EditHistory): string[] {
  return final.accounts.flatMap((account) => {
    const undos = new Set(account.groups.filter(({ undoes }) => undoes !== null).map(({ seq }) => seq));
    const own = new Set(account.records.filter(({ groupSeq }) => undos.has(groupSeq)).map(({ seq }) => seq));
    return decisions
      .filter(({ site, seq, choice }) => site === account.site && own.has(seq) && ANSWERS.has(choice))
      .map(({ seq, field }) => `${account.site}: record ${seq} of an undo asked about ${field}`);
  });
}

/** What someone else deleted is created again once for each edit that was refused, however often its person tries. */
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
