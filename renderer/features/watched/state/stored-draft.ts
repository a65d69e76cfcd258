import type { WatchedFolder } from '../../../../shared/contract/watch.ts';
import type { WatchRules } from '../../../../shared/contract/watch-rules.ts';
import { storedJson, storedText } from '../../common/state/stored-json.ts';

/** The draft of a folder that is being added, or whose rules are being edited. */
export interface FolderDraft {
  /** The id of the folder; null: the folder is not watched yet. */
  folderId: string | null;
  path: string;
  name: string;
  rules: WatchRules;
  /** The choice about files that are already in the folder; null: not chosen yet. */
  existing: WatchRules['existingFiles'] | null;
  sweepEveryMs: number | null;
}

/** The stored data of an unsaved draft. */
export interface StoredDraft {
  draft: FolderDraft;
  /** The draft as it was opened. */
  original: FolderDraft;
  ruleId: string;
}

const KEY = 'mediadesk.watch-draft';
/** The version of the stored data. Increase it with every change of the rules that makes older drafts invalid. */
const VERSION = 1;

/** Returns the name under which the draft of a version is kept when another version stores its own draft. */
const nameOf = (version: unknown) => `${KEY} ${String(version)}`;

/**
 * Stores the unsaved rules on this computer, so that closing Mediadesk needs no confirmation; null removes them. A draft that
 * another version stored is kept for that version.
 */
export function storeDraft(stored: StoredDraft | null): void {
  try {
    const before = storedJson(KEY) as { version?: unknown } | null;
    const isOfOther = before !== null && before.version !== VERSION;
    localStorage.removeItem(nameOf(VERSION));
    if (isOfOther && stored !== null) localStorage.setItem(nameOf(before.version), storedText(KEY) ?? '');
    if (stored === null && !isOfOther) localStorage.removeItem(KEY);
    if (stored !== null) localStorage.setItem(KEY, JSON.stringify({ version: VERSION, ...stored }));
  } catch (thrown) {
    console.warn('Draft not kept', thrown);
  }
}

/**
 * Returns the unsaved rules of an earlier session; null when there are none, when their folder is no longer watched, or when its
 * rules were changed in another way since, because saving would undo that change.
 */
export function storedDraft(folders: readonly WatchedFolder[]): StoredDraft | null {
  try {
    return usableDraft(storedJson(KEY), folders) ?? usableDraft(storedJson(nameOf(VERSION)), folders);
  } catch {
    return null;
  }
}

/** Returns stored data as a draft, when it belongs to this version and can still be saved; null otherwise. */
export function usableDraft(data: unknown, folders: readonly WatchedFolder[]): StoredDraft | null {
  const { version, draft, original, ruleId } = (data ?? {}) as Partial<StoredDraft & { version: number }>;
  if (version !== VERSION || draft === undefined || original === undefined || ruleId === undefined) return null;
  if (draft.folderId === null) return { draft, original, ruleId };
  const folder = folders.find(({ id }) => id === draft.folderId);
  const isAsOpened = folder !== undefined && JSON.stringify(folder.rules) === JSON.stringify(original.rules);
  return isAsOpened && folder.root === original.path ? { draft, original, ruleId } : null;
}
