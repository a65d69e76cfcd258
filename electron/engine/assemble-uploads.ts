import { ARTIFICIAL_ROOT_ID } from '../../shared/api/collections.ts';
import { appError } from '../../shared/contract/app-error.ts';
import { itemFieldsOf } from '../../shared/item/fields.ts';
import { isLocalId } from '../../shared/model/edits/collection-ops.ts';
import type { DescribeItems } from '../../shared/model/item-description.ts';
import type { KnownItems } from './companions/known-items.ts';
import type { EngineBase, LaterParts } from './engine-base.ts';
import { createNodeDisks } from './ports/system/node-disks.ts';
import { senderWithFailpoints } from './uploads/delivery/sender/failpoint-sender.ts';
import { createSender } from './uploads/delivery/sender/send-form.ts';
import type { SendForm } from './uploads/delivery/sender/send-options.ts';
import { fileDigests } from './uploads/duplicates/file-digests.ts';
import { createUploads, type Uploads } from './uploads/uploads.ts';

/** Creates the sender of files to the destinations that the library names. */
export function formSender({ host, hashThreads, failpoints }: EngineBase): SendForm {
  return senderWithFailpoints(createSender(host.hashes ?? hashThreads), failpoints);
}

/** Creates the queue of uploads. The other parts build on its rows. */
export function assembleUploads(base: EngineBase, later: LaterParts, describe: DescribeItems): Uploads {
  const { host, accounts, records, failpoints } = base;
  return createUploads({
    database: base.database,
    clock: base.clock,
    random: base.random,
    logger: base.logger,
    scheduler: base.scheduler,
    breakers: base.breakers,
    files: base.files,
    volumes: base.volumes,
    mover: base.mover,
    mediaFacts: base.mediaFacts,
    failpoints,
    digests: fileDigests,
    disks: host.disks ?? createNodeDisks(host.platform),
    sendForm: formSender(base),
    connections: base.network.connections,
    parallelTransfers: host.parallelTransfers ?? null,
    ...(host.sliceRows === undefined ? {} : { sliceRows: host.sliceRows }),
    clientFor: accounts.clientFor,
    reconnect: () => accounts.reconnect(),
    probe: base.probe,
    siteName: (siteId) => records.get(siteId)?.baseUrl ?? siteId,
    collectionName: (siteId, collectionId) => collectionName(later, siteId, collectionId),
    items: { ...knownItems(later), describe },
    newCollections: {
      stateOf: (siteId, localId) => later.edits().newCollections.stateOf(siteId, localId),
      onDidChange: (listener) => later.newCollectionChanges.on(listener),
    },
    isOfEdit: (siteId, mediaId) => later.edits().hasCreatedItem(siteId, mediaId),
  });
}

/**
 * Returns the name of a collection as the user sees it, also of one that waits to be created. Throws `api.not-found` and other
 * errors of the request.
 */
async function collectionName(later: LaterParts, siteId: string, collectionId: string): Promise<string> {
  if (collectionId === ARTIFICIAL_ROOT_ID) throw appError('api.not-found', { details: { collectionId } });
  const made = isLocalId(collectionId) ? later.edits().newCollections.stateOf(siteId, collectionId) : null;
  if (made?.kind === 'waiting') return made.name;
  const { collection } = await later.library().handlers['library.collection']({ siteId, collectionId });
  return collection.displayName;
}

/** The items of earlier uploads as the user sees them: from the copy of the library, with the open edits. */
function knownItems(later: LaterParts): Omit<KnownItems, 'describe'> {
  return {
    get(siteId, mediaId) {
      const item = later.mirrors().items(siteId, [mediaId]).get(mediaId);
      const effective = item === undefined ? null : later.edits().effective(siteId, item);
      return effective && { fields: itemFieldsOf(effective), collectionId: effective.collectionId };
    },
    collectionName: (siteId, collectionId) =>
      later
        .mirrors()
        .collections(siteId)
        ?.find(({ id }) => id === collectionId)?.displayName ?? null,
    hasEditedTags: (siteId, mediaId) => later.edits().hadOp(siteId, mediaId, ['add-tag', 'remove-tag']),
  };
}
