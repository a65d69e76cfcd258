import type { DescribeItems } from '../../shared/model/item-description.ts';
import type { EngineBase } from './engine-base.ts';
import { chokidarEvents } from './ports/system/chokidar-events.ts';
import { createNodeOpenFiles } from './ports/system/node-open-files.ts';
import { fileDigests } from './uploads/duplicates/file-digests.ts';
import type { Uploads } from './uploads/uploads.ts';
import { createWatch, type Watch } from './watch/watch.ts';

/** Creates the parts that find finished files in watched folders and add them to the queue. */
export function assembleWatch(base: EngineBase, uploads: Uploads, describe: DescribeItems): Watch {
  const { host, records } = base;
  return createWatch({
    database: base.database,
    isCopy: base.isCopy,
    clock: base.clock,
    random: base.random,
    logger: base.logger,
    scheduler: base.scheduler,
    files: base.files,
    digests: fileDigests,
    mediaFacts: base.mediaFacts,
    walker: base.walker,
    events: host.folderEvents ?? chokidarEvents,
    volumes: base.volumes,
    openFiles: host.openFiles ?? createNodeOpenFiles(host.platform, base.clock),
    queue: uploads.queue,
    uploads: uploads.rows,
    isKnownSite: (siteId) => records.get(siteId) !== null,
    describe,
  });
}
