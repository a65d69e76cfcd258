import type { AddUploadsOutput, BatchDefaults } from '../../../../shared/contract/uploads.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { toErrorData } from '../../../kit/text/errors.ts';
import { knownRefusalToAdd } from '../../common/state/add-rights-store.ts';
import { announce, showError } from '../../common/state/messages-store.ts';
import { addedCount, addRequests, joinedResult } from './add-described.ts';
import { choicesOf, ownCollections } from './add-files.ts';
import { withPairs } from './add-pairs.ts';
import { closeAddSheet, filesOf, isOpenFor, listsAll, useAdd } from './add-store.ts';
import { openForAdded } from './load-uploads.ts';
import { texts } from './texts.ts';

/**
 * Queues the files; the files of each collection become one batch. Closes the sheet when all of them were added; returns whether
 * all were added. After a failure, the next attempt adds only files that are not queued yet.
 */
export async function addUploads(defaults: BatchDefaults): Promise<boolean> {
  const { paths, siteId, collectionId, isAdding, before } = useAdd.getState();
  if (paths === null || siteId === null || collectionId === null || isAdding) return false;
  const refusal = knownRefusalToAdd(siteId, collectionId);
  if (refusal !== null) {
    useAdd.setState({ error: refusal });
    return false;
  }
  useAdd.setState({ isAdding: true, error: null });
  const results = [...before.results];
  const done = new Set(before.paths);
  try {
    for (const request of plannedRequests(paths, collectionId, done)) {
      const added = await call('uploads.add', { siteId, defaults, ...request });
      results.push(added);
      for (const { path } of request.files) done.add(path);
      const shown = added.added > 0 ? added.batchId : added.late?.batchIds[0];
      if (shown !== undefined) openForAdded(shown);
    }
    const result = joinedResult(results);
    announce(addedText(result));
    if (!isOpenFor(paths)) return false;
    useAdd.setState({ isAdding: false, result });
    if (result === null || result.skippedCount > 0 || addedCount(result) === 0) return false;
    closeAddSheet();
    return true;
  } catch (thrown) {
    if (isOpenFor(paths)) {
      useAdd.setState({ isAdding: false, error: toErrorData(thrown), before: { results, paths: done } });
    } else showError(thrown);
    return false;
  }
}

function addedText(result: AddUploadsOutput | null): string {
  const { skippedCount = 0, fallbackTitles = 0 } = result ?? {};
  const sentence = texts.added(result === null ? 0 : addedCount(result), null, skippedCount);
  return fallbackTitles === 0 ? sentence : `${sentence} ${texts.fallbackTitles(fallbackTitles)}`;
}

function plannedRequests(paths: readonly string[], collectionId: string, done: ReadonlySet<string>) {
  const { table, preview, pairChoices, descriptions, collections, manifests, times } = useAdd.getState();
  const isAll = listsAll();
  const listed = table === null ? [] : choicesOf(table, filesOf(preview), isAll, descriptions, times);
  const spreadsheets = manifests.map(({ path }) => ({ path, isExcluded: true }));
  const files = [...withPairs(listed, pairChoices), ...spreadsheets];
  // Only files in the table are added, unless the table doesn't show all files of the current choices.
  const own = table === null ? new Map() : ownCollections(table, descriptions, collections);
  return addRequests({ paths, collectionId, files, addsOthers: !isAll, ownCollections: own, done });
}
