import { appError } from '../../../shared/contract/app-error.ts';
import type { Series } from '../../../shared/contract/series.ts';
import type { FileChoice } from '../../../shared/contract/upload-files.ts';
import type { EngineContext } from '../command-base/context.ts';
import { publishTimes } from '../output/publish-times.ts';

interface FilesToTime {
  siteId: string;
  paths: string[];
  sidecars: boolean;
}

/** Files for `uploads.add`, which must not add any others: those would have no time. */
interface TimedFiles {
  files: FileChoice[];
  /** Whether at least one of the files can be uploaded. */
  hasFiles: boolean;
}

/**
 * Returns the files below the paths. Those that become items have their publish times, in their order; those for the items of earlier
 * uploads, and those that are skipped, have none. Sends no request. Throws as `publishTimes` does.
 */
export async function filesInSeries(
  { engine, output }: EngineContext,
  series: Series,
  { siteId, paths, sidecars }: FilesToTime,
): Promise<TimedFiles> {
  const { list, manifests = [] } = await engine.call('uploads.preview', {
    siteId,
    collectionId: null,
    paths,
    sidecars,
    lists: true,
  });
  if (list?.isAll === false) throw appError('edit.series-too-long');
  const listed = list?.files ?? [];
  const timed = listed.filter(({ problem, late }) => problem === null && late === undefined);
  const names = timed.map(({ fileName }) => fileName);
  const times = publishTimes(output, series, names);
  const publish = new Map(timed.map(({ path }, index) => [path, times[index]]));
  for (const { path } of manifests) {
    output.warning(`Not added: ${path}. To use this spreadsheet, use --manifest.`);
  }
  return {
    files: listed.map(({ path }) => ({ path, publish: publish.get(path) })),
    hasFiles: listed.some(({ problem }) => problem === null),
  };
}
