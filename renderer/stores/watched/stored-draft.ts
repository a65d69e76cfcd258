import type { WatchedFolder } from '../../../shared/contract/watch.ts';
import type { WatchRules } from '../../../shared/contract/watch-rules.ts';
import { storedJson, storedText } from '../app/stored-json.ts';

/** A folder that is being added, or whose rules are being edited. */
export interface FolderDraft {
  /** Null: it is not watched yet. */
  folderId: string | null;
  path: string;
  name: string;
  rules: WatchRules;
  /** What happens to files that are in the folder already; null: not chosen yet. */
  existing: WatchRules['existingFiles'] | null;
  sweepEveryMs: number | null;
}

/** What is stored of a draft that is not saved. */
export interface StoredDraft {
  draft: FolderDraft;
  /** The draft as it was opened. */
  original: FolderDraft;
  ruleId: string;
}

const KEY = 'mediadesk.watch-draft';
/** Rises with every change of the rules that an older draft does not fit. */
const VERSION = 1;

/** Where the draft of a version is kept when another version stores its own. */
const nameOf = (version: unknown) => `${KEY} ${String(version)}`;

/**
 * Stores the unsaved rules on this computer, so that closing Mediadesk needs no confirmation; null removes them. The draft of
 * another version is kept for that version.
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
 * Returns the unsaved rules of an earlier session. Null when there are none, when their folder is no longer watched, and when
 * its rules were changed since in another way: saving would undo that.
 */
export function storedDraft(folders: readonly WatchedFolder[]): StoredDraft | null {
  try {
    return usableDraft(storedJson(KEY), folders) ?? usableDraft(storedJson(nameOf(VERSION)), folders);
  } catch {
    return null;
  }
}

/** Returns stored data as a draft when it is one of this version that can still be saved. */
export function usableDraft(data: unknown, folders: readonly WatchedFolder[]): StoredDraft | null {
  const { version, draft, original, ruleId } = (data ?? {}) as Partial<StoredDraft & { version: number }>;
  if (version !== VERSION || draft === undefined || original === undefined || ruleId === undefined) return null;
  if (draft.folderId === null) return { draft, original, ruleId };
  const folder = folders.find(({ id }) => id === draft.folderId);
  const isAsOpened = folder !== undefined && JSON.stringify(folder.rules) === JSON.stringify(original.rules);
  return isAsOpened && folder.root === original.path ? { draft, original, ruleId } : null;
}
