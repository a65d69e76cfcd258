import type { LibraryParts } from './assemble-library.ts';
import { EDIT_COMMAND_LANE } from './edits/commands/bulk-edits.ts';
import { createEdits, type Edits } from './edits/edits.ts';
import { EDIT_LANE } from './edits/replay/edit-jobs.ts';
import type { EngineBase } from './engine-base.ts';
import { PROBE_LANE } from './sites/site-probes.ts';
import type { Uploads } from './uploads/uploads.ts';

/** Creates the journal of edits, and the lane that sends them. */
export function assembleEdits(base: EngineBase, uploads: Uploads, { library, mirrorSync }: LibraryParts): Edits {
  const { host, accounts, records } = base;
  const { mirrors } = mirrorSync;
  return createEdits({
    database: base.database,
    clock: base.clock,
    random: base.random,
    logger: base.logger,
    scheduler: base.scheduler,
    ...(host.sliceRows === undefined ? {} : { sliceRows: host.sliceRows }),
    breakers: base.breakers,
    mirrors,
    clientFor: accounts.clientFor,
    probe: base.probe,
    userIdOf: (siteId) => records.get(siteId)?.userId ?? null,
    itemsOf: (query) => library.itemsOf(query),
    uploads: uploads.rows.store,
    startLane: () => startEditLane(base),
    onChanged: (siteId, mediaId) => library.noteChange({ siteId, collectionId: null, mediaId }),
    onCollectionRead(siteId, collectionId, { collection, podcast, isGone }) {
      if (collection !== null) mirrors.putCollection(siteId, collection, podcast);
      else if (isGone) mirrors.removeCollection(siteId, collectionId);
    },
  });
}

/** Starts the lanes that send edits, that continue commands about edits, and that probe unreachable libraries. Other lanes are started separately. */
export function startEditLane({ scheduler }: EngineBase): void {
  scheduler.startOnly([EDIT_LANE, EDIT_COMMAND_LANE, PROBE_LANE]);
}
