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
 * Steps that have succeeded when a fact is stored. A fact that undoes an earlier one says nothing about the step that it
 * undid: `file-dropped` ends the count of what removes files, never that of what makes or sends them. So a cycle in which
 * any step keeps failing ends when that step has used up its retries. Cycles in which each step succeeds and the file is
 * lost again are counted as `delivery`, which only the end of processing resets.
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
};
