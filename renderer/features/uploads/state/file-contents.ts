import type { MediaFacts } from '../../../../shared/contract/media-facts.ts';
import type { ListedFile } from '../../../../shared/contract/upload-files.ts';
import { MOST_MEDIA_FACTS } from '../../../../shared/model/recipes/local-file-facts.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { attempt } from '../../common/state/messages-store.ts';

/** The known contents of files, by path. */
export type KnownContents = ReadonlyMap<string, MediaFacts>;

export const NOTHING_KNOWN: KnownContents = new Map();

/**
 * Reads tags and dates inside files in parts, and reports all known contents after each part. `known`: the contents that need no
 * reading. `roots`: the files and folders that the user added. Returns a function that ends the reading.
 */
export function readContents(
  files: readonly ListedFile[],
  roots: readonly string[],
  onContents: (contents: KnownContents) => void,
  onError: (thrown: unknown) => void,
  known: KnownContents = NOTHING_KNOWN,
): () => void {
  let isEnded = false;
  let isReading = false;
  const paths = files.flatMap(({ path, problem }) => (problem === null && !known.has(path) ? [path] : []));
  const readAll = async () => {
    let contents = known;
    onContents(contents);
    for (let from = 0; from < paths.length; ) {
      isReading = true;
      const request = { paths: paths.slice(from, from + MOST_MEDIA_FACTS), roots: [...roots] };
      const read = await call('mediaFacts.read', request);
      isReading = false;
      if (isEnded) return;
      // A request can return fewer files than requested, when another reader was ended at the same time. The next request begins
      // with the remaining files.
      from += read.length;
      contents = new Map([...contents, ...read.map((each) => [each.path, each] as const)]);
      onContents(contents);
    }
  };
  void readAll().catch((thrown) => {
    isReading = false;
    if (!isEnded) onError(thrown);
  });
  return () => {
    isEnded = true;
    if (isReading) void attempt(async () => void (await call('mediaFacts.end', null)));
  };
}
