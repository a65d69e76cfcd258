import { appError } from '../../../../shared/contract/app-error.ts';
import { isLocalId } from '../../../../shared/model/edits/collection-ops.ts';
import type { NewCollection, NewCollections } from '../../library/collections/new-collections-port.ts';
import type { EditJournal } from './edit-journal.ts';

/** Returns the collections of the journal that are created on this computer, for uploads into them. */
export function newCollectionsOf(journal: EditJournal): NewCollections {
  return {
    stateOf(siteId, localId): NewCollection {
      const id = journal.idOf(localId);
      if (!isLocalId(id)) return { kind: 'created', id };
      const [creation] = journal.store.openOf(siteId, localId, 'collection');
      if (creation === undefined) return { kind: 'not-created', name: '', reason: null };
      const { state, name, error } = creation;
      if (state === 'pending') return { kind: 'waiting', name };
      return { kind: 'not-created', name, reason: (error ?? appError('internal').toData()).message };
    },
    onDidChange: (listener) =>
      journal.onDidChange.on((changes) => {
        const sites = changes.filter(({ entityId }) => isLocalId(entityId)).map(({ siteId }) => siteId);
        for (const siteId of new Set(sites)) listener(siteId);
      }),
  };
}
