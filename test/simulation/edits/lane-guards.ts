import type { EditGuard } from './edit-guard.ts';
import { act, trouble } from './guard-story.ts';

/** Guards of questions, of the order in which edits are sent, of creations, and of what belongs to which account. */
export const LANE_GUARDS: readonly EditGuard[] = [
  {
    name: 'an edit that waits for a decision blocks its own item only',
    seed: 1,
    story: {
      acts: [act(20, 'A', 'edit', 0), act(25, 'editor', 'edit', 0, 7), act(80, 'A', 'edit', 1, 13)],
      troubles: [trouble('offline', 'A', 15, 60)],
    },
    file: 'electron/engine/edits/replay/edit-jobs.ts',
    find: '      if (jobs.length >= free) break;\n',
    replaceBy: '      if (jobs.length >= free || entity.isBlocked) break;\n',
  },
  {
    name: 'edits wait until their collection is created',
    seed: 1,
    story: {
      acts: [act(20, 'A', 'new-collection'), act(30, 'A', 'into-collection', 0, 0)],
      troubles: [trouble('offline', 'A', 15, 60)],
    },
    file: 'electron/engine/edits/replay/edit-jobs.ts',
    find: 'if (journal.isWaiting(entity) || (isCollection',
    replaceBy: 'if ((isCollection',
  },
  {
    name: 'the collection of a creation with an unclear result is searched for before the creation is repeated',
    seed: 33,
    story: { acts: [act(30, 'A', 'new-collection'), act(30.7, 'A', 'crash')] },
    file: 'electron/engine/library/collections/create-collection-once.ts',
    find: 'const [known, another] = await findCreated(client, earlier',
    replaceBy: 'const [known, another] = await findCreated(client, []',
  },
  {
    name: 'a collection that existed before a creation is not taken for the new one',
    seed: 39,
    story: {
      acts: [act(10, 'editor', 'new-collection'), act(20, 'A', 'new-collection', 2)],
      troubles: [{ ...trouble('requests-lost', 'A', 15, 70), rate: 0.6 }],
    },
    file: 'electron/engine/library/collections/create-collection-once.ts',
    find: 'children.filter(({ id }) => !before.has(id)).filter',
    replaceBy: 'children.filter',
  },
  {
    name: 'a collection that was hidden before a creation is not taken for the new one',
    seed: 1,
    story: {
      acts: [
        ...[act(5, 'editor', 'new-collection', 1), act(8, 'A', 'sync'), act(20, 'editor', 'hide-collection', 0, 0)],
        ...[act(21, 'A', 'new-collection', 2), act(142, 'editor', 'show-collection', 0, 0), act(160, 'A', 'retry')],
      ],
      troubles: [trouble('offline', 'A', 15, 30), { ...trouble('replies-lost', 'A', 30, 140), rate: 0.5 }],
    },
    file: 'electron/engine/library/collections/create-collection-once.ts',
    find: 'if (ids.length === 0) await getCollection(client, parentId, signal);',
    replaceBy: '',
  },
  {
    name: 'an item that is restored as a new one is searched for before it is created again',
    seed: 9,
    story: {
      acts: [
        ...[act(10, 'editor', 'delete'), act(10.001, 'A', 'edit')],
        ...[act(30, 'A', 'restore'), act(30.8, 'A', 'crash'), act(190, 'A', 'restore')],
      ],
    },
    file: 'electron/engine/library/items/create-item-once.ts',
    find: 'const verdict = await lookUp(client, earlier, attempt);',
    replaceBy: 'const verdict = await lookUp(client, [], attempt);',
  },
  {
    name: 'a creation whose answer could not be stored is not repeated',
    seed: 4,
    story: {
      acts: [
        act(20, 'A', 'new-collection', 0, 7),
        act(21, 'A', 'store-full'),
        act(26, 'editor', 'delete-collection', 3),
      ],
    },
    file: 'electron/engine/edits/replay/replays.ts',
    find: 'knownId: this.#created.get(id) ?? null',
    replaceBy: 'knownId: null',
  },
  {
    name: 'the contents of a collection are counted again when its deletion is sent',
    seed: 1,
    story: {
      acts: [act(20, 'A', 'delete-collection'), act(30, 'editor', 'into-collection', 2, 0)],
      troubles: [trouble('offline', 'A', 15, 60)],
    },
    file: 'electron/engine/library/collections/collection-deletion.ts',
    find: 'if (hasOthers(collectionIds, task.confirmed) || items > task.confirmed.items || isUnconfirmed) {',
    replaceBy: 'if (items < 0) {',
  },
  {
    name: 'a deletion compares the collections that it removes with those that were confirmed, not their number',
    seed: 1,
    story: {
      acts: [
        ...[act(5, 'editor', 'new-collection', 2, 5), act(8, 'A', 'sync'), act(20, 'A', 'delete-collection', 1)],
        ...[act(30, 'editor', 'move-collection', 3, 1), act(31, 'editor', 'new-collection', 2, 9)],
      ],
      troubles: [trouble('offline', 'A', 15, 60)],
    },
    file: 'electron/engine/library/collections/collection-deletion.ts',
    find: 'return ids.some((id) => !confirmed.has(id));',
    replaceBy: 'return ids.length > confirmed.size;',
  },
  {
    name: 'a deletion checks what the tree of deletable collections shows, which is read last',
    seed: 'shown-again-during-the-check',
    file: 'electron/engine/library/collections/collection-deletion.ts',
    find: 'for (const branch of branches) await addShown(client, branch, deletable);',
    replaceBy: '{}',
  },
  {
    name: 'a deletion reads the tree of deletable collections after everything else',
    seed: 'shown-again-during-the-check',
    file: 'electron/engine/library/collections/collection-deletion.ts',
    find: 'const deletable = await deletableIds(client);',
    replaceBy: 'const deletable: CollectionIndex | null = null;',
  },
  {
    name: 'a decision to keep a collection ends the other deletions of it',
    seed: 1,
    story: {
      acts: [
        ...[act(20, 'A', 'delete-collection'), act(20, 'A', 'delete-collection')],
        ...[act(30, 'editor', 'new-collection', 2, 5), act(90, 'A', 'resolve', 0, 1)],
      ],
      troubles: [trouble('offline', 'A', 15, 60)],
    },
    file: 'electron/engine/edits/commands/edit-commands.ts',
    find: 'const after = endedByDecision(present(each), ended, clock.now());',
    replaceBy: 'const after = present(each);',
  },
  {
    name: 'a deletion counts the collections that the tree leaves out',
    seed: 1,
    story: {
      acts: [
        // The third one has an id that trees leave out while lists are not complete.
        ...[act(5, 'editor', 'new-collection', 1, 5), act(6, 'editor', 'new-collection', 1, 9)],
        ...[act(7, 'editor', 'new-collection', 1, 13), act(10, 'A', 'delete-collection', 2)],
      ],
      troubles: [trouble('lists-partial', 'A', 8, 280)],
    },
    file: 'electron/engine/library/collections/left-out-collections.ts',
    find: 'for (const id of found.keys()) for (const child of await childrenIn(id)) addNew(found, child);',
    replaceBy: '',
  },
  {
    name: 'a move of a collection that someone else moved causes a question',
    seed: 1,
    story: {
      acts: [
        act(20, 'A', 'move-collection', 0, 1),
        ...[act(30, 'editor', 'new-collection', 0, 5), act(31, 'editor', 'move-collection', 2, 3)],
      ],
      troubles: [trouble('offline', 'A', 15, 60)],
    },
    file: 'shared/model/edits/collection-fold.ts',
    find: "return theirs.parentId === op.base ? 'send' : 'conflict';",
    replaceBy: "return 'send';",
  },
  {
    name: 'a publication that someone else changed is not taken back without a question',
    seed: 1,
    story: {
      acts: [
        ...[act(5, 'A', 'unpublish'), act(10, 'A', 'publish-at', 0, 38), act(20, 'A', 'unpublish')],
        ...[act(21, 'B', 'sync'), act(25, 'B', 'unpublish'), act(35, 'B', 'publish-at', 0, 39)],
      ],
      troubles: [trouble('offline', 'A', 15, 60)],
    },
    file: 'shared/model/edits/verdicts.ts',
    find: "return wasPublic && isSameInstant(theirs.publishOn, base.publishOn) ? 'send' : 'conflict';",
    replaceBy: "return 'send';",
  },
  {
    name: 'an edit of a publish time that someone else changed causes a question',
    seed: 1,
    story: {
      acts: [act(5, 'A', 'unpublish'), act(20, 'A', 'publish-at', 0, 39), act(25, 'B', 'publish-at', 0, 38)],
      troubles: [trouble('offline', 'A', 15, 60)],
    },
    file: 'shared/model/edits/verdicts.ts',
    find: "  if (!isSamePublication(theirs, base)) return 'conflict';\n",
    replaceBy: '',
  },
  {
    name: 'an edit that follows a dropped one has the base of the dropped one',
    seed: 1,
    story: {
      acts: [act(10, 'A', 'edit'), act(30, 'A', 'edit', 0, 7), act(60, 'A', 'drop')],
      troubles: [trouble('rights-lost', 'A', 5, 50)],
    },
    file: 'electron/engine/edits/replay/unanswered.ts',
    find: 'acceptingRecord === next ? withBaseOf(each, stored) : each',
    replaceBy: 'each',
  },
  {
    name: 'an edit on top of one in flight has the value that the library stored as its base',
    seed: 2,
    story: {
      acts: [act(10, 'A', 'unpublish'), act(30, 'A', 'publish'), act(30.6, 'A', 'unpublish')],
      troubles: [trouble('slow', 'A', 30.3, 60)],
    },
    file: 'electron/engine/edits/replay/record-replay.ts',
    find: 'return [...changes, ...context.behind.flatMap((before) => rebasedRecord(before, touched, rebase))];',
    replaceBy: 'return changes;',
  },
  {
    name: 'the edits of an item belong to one account',
    seed: 1,
    story: {
      hasOtherSite: true,
      acts: [act(20, 'A', 'edit'), { ...act(25, 'A', 'edit', 0, 5), isOther: true }],
      troubles: [trouble('offline', 'A', 15, 60)],
    },
    file: 'electron/engine/edits/journal/edit-store.ts',
    find: `FROM edits WHERE site_id = $siteId AND entity_kind = $entityKind
      AND entity_id = $entityId AND state IN`,
    replaceBy: `FROM edits WHERE $siteId <> '' AND entity_kind = $entityKind
      AND entity_id = $entityId AND state IN`,
  },
  {
    name: 'an edit that waits behind a slow request keeps the edits that it replaces',
    seed: 'what-is-not-sent-replaces-nothing',
    file: 'electron/engine/edits/replay/send-in-order.ts',
    find: 'const positions = leaveOpen(writes.slice(index), results);\n      return { sent, failure: null,',
    replaceBy: 'const positions: number[] = [];\n      return { sent, failure: null,',
  },
];
