import { isCollectionOp } from '../../../shared/model/edits/collection-ops.ts';
import type { CollectionEffectFact, EditHistory, FinalAccount } from './edit-history.ts';
import { placedOps } from './placed-ops.ts';

export function effectsOn(
  history: EditHistory,
  { library }: FinalAccount,
  id: string,
  field: string,
): CollectionEffectFact[] {
  return history.collectionEffects.filter((each) => each.library === library && each.id === id && each.field === field);
}

/** Whether the account ever lacked the rights to see a collection: its program then treats the collection as deleted. */
export function wasHidden({ hiddenCollections }: EditHistory, { site }: FinalAccount, id: string): boolean {
  return hiddenCollections.some((each) => each.site === site && each.id === id);
}

/**
 * Each collection that a program created belongs to one edit, unless its person dropped that edit, or answered that none of the
 * new collections with its name is the result of the edit.
 */
export function noCollectionIsMadeTwice(history: EditHistory): string[] {
  return history.final.accounts.flatMap((account) => {
    const creations = placedOps([account], isCollectionOp).filter(({ op }) => op.kind === 'create-collection');
    const known = creations.flatMap(({ record, stored }) => (stored.outcome === 'sent' ? [record.entityId] : []));
    const twice = known.filter((id, index) => known.indexOf(id) !== index);
    const isCreation = (seq: number) => creations.some(({ record }) => record.seq === seq);
    const repeated = history.decisions.filter(
      ({ site, seq, choice }) => site === account.site && choice === 'retry' && isCreation(seq),
    ).length;
    const given = creations.filter(
      ({ record, stored }) =>
        record.sentAt !== null &&
        stored.outcome === 'dropped' &&
        history.decisions.some(
          ({ site, seq, choice }) => site === account.site && seq === record.seq && choice === 'drop',
        ),
    ).length;
    // Its person deleted its parent, and the collection with it, before the program knew of the collection.
    const isDeletedWithItsEdit = ({ id, atMs, after }: CollectionEffectFact) =>
      effectsOn(history, account, id, 'item').some((each) => each.atMs > atMs && each.after === 'no') &&
      creations.some(
        ({ stored, op }) =>
          stored.outcome === 'superseded' && op.kind === 'create-collection' && op.values.display_name === after,
      );
    const unknown = history.collectionEffects.filter(
      (each) =>
        each.by === account.site &&
        each.field === 'item' &&
        each.before === 'no' &&
        !known.includes(each.id) &&
        // No look-up finds a hidden collection.
        !wasHidden(history, account, each.id) &&
        !isDeletedWithItsEdit(each) &&
        !isUnknowableCreation(history, each),
    );
    return [
      ...twice.map((id) => `${account.site}: two edits created collection ${id}`),
      ...unknown
        .slice(given + repeated)
        .map(({ atMs, id, after }) => `at ${atMs}: ${account.site} created ${id} “${after}”, which no edit knows`),
    ];
  });
}

/**
 * Whether no answer to a creation arrived, and someone else renamed or deleted the collection before the program looked for it:
 * nothing in the library shows then that the request created it.
 */
function isUnknowableCreation(
  { requests, collectionEffects }: EditHistory,
  { by, id, library, atMs }: CollectionEffectFact,
): boolean {
  const request = requests.findLast(
    (each) => each.site === by && each.method === 'POST' && each.path === '/api2/collections' && each.fromMs <= atMs,
  );
  if (request === undefined || /^2\d\d$/.test(request.result)) return false;
  return collectionEffects.some(
    (each) =>
      each.library === library &&
      each.id === id &&
      each.by !== by &&
      each.atMs > atMs &&
      (each.field === 'display_name' || (each.field === 'item' && each.after === 'no')),
  );
}

/**
 * Whether a program could take a collection of someone else for the one that it had tried to create before: when no answer says
 * what became of the request, a new collection with that name and in that place counts as its result.
 */
export function isTakenForCreated({ requests }: EditHistory, { atMs }: CollectionEffectFact, site: string): boolean {
  return requests.some((each) => {
    const isCreation = each.site === site && each.method === 'POST' && each.path === '/api2/collections';
    return isCreation && each.fromMs <= atMs && !/^2\d\d$/.test(each.result);
  });
}
