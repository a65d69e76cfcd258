import type { RetriedStep } from './retries.ts';

const LOCAL: readonly RetriedStep[] = ['look-at-file'];
const CREATED: readonly RetriedStep[] = ['create-item', 'look-up-item'];
const CLEARED: readonly RetriedStep[] = ['clear-files', 'check-file', 'drop-file'];
const SENT: readonly RetriedStep[] = ['look-at-file', 'check-file', 'send'];
const FINISHED: readonly RetriedStep[] = ['check-file', 'finish'];
const ALL: readonly RetriedStep[] = [
  ...LOCAL,
  'find-collection',
  'check-duplicates',
  ...CREATED,
  'create-file',
  ...CLEARED,
  ...SENT,
  'finish',
  'poll',
  'delivery',
];

/**
 * The steps that have succeeded when an event is stored.
 *
 * An event that undoes an earlier step does not reset the count of that step: `file-dropped` resets the counts of
 * removing files, never those of creating or sending them. So a cycle in which one step keeps failing ends when that
 * step has used its retries. A cycle in which every step succeeds and the file is lost again is counted as `delivery`,
 * which is reset only when processing has completed.
 */
export const SUCCEEDED_STEPS: Readonly<Record<string, readonly RetriedStep[]>> = {
  'file-seen': LOCAL,
  'item-intended': LOCAL,
  'file-intended': LOCAL,
  'send-started': LOCAL,
  'collection-found': ['find-collection'],
  'duplicates-checked': ['check-duplicates'],
  'item-created': CREATED,
  'item-absent': ['look-up-item'],
  'file-created': ['create-file'],
  'file-dropped': CLEARED,
  sent: SENT,
  finished: FINISHED,
  completed: ALL,
  published: [...ALL, 'publish'],
  'publish-refused': [...ALL, 'publish'],
  retried: [...ALL, 'publish'],
  'replacement-accepted': ALL,
};
