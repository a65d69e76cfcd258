import { create } from 'zustand';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { WatchPreview } from '../../../../shared/contract/watch.ts';
import type { WatchRules } from '../../../../shared/contract/watch-rules.ts';
import { rulesProblems } from '../../../../shared/model/watch/rules-problems.ts';
import { delayed } from '../../../kit/async/delayed.ts';
import { latestOnly } from '../../../kit/async/latest-only.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { toErrorData } from '../../../kit/text/errors.ts';
import { previewable } from './rules-draft.ts';
import { texts } from './texts.ts';

interface PreviewState {
  /** The result of the rules for each file; null before the first answer. */
  preview: WatchPreview | null;
  /** Whether `preview` belongs to earlier rules: the preview of the current rules is running, or they can't be used. */
  isStale: boolean;
  error: AppErrorData | null;
}

const NONE: PreviewState = { preview: null, isStale: false, error: null };

export const usePreview = create<PreviewState>(() => NONE);

/** The input of a preview. */
interface Previewed {
  folderId: string | null;
  path: string;
  rules: WatchRules;
  existing: WatchRules['existingFiles'] | null;
}

/** Waits for the end of typing. */
const DELAY_MS = 250;
/** The maximum number of listed files. */
const LIMITS = { sheet: 50, editor: 2000 } as const;

let wanted: { of: Previewed; place: keyof typeof LIMITS } | null = null;
const previews = latestOnly();
const loading = delayed(() => void load(), DELAY_MS);

/**
 * Previews rules a short time after they changed. The sheet for a new folder always previews the existing files, for examples of
 * titles; the editor applies the choice about existing files.
 */
export function loadPreview(of: Previewed, place: keyof typeof LIMITS): void {
  wanted = { of, place };
  previews.cancel();
  usePreview.setState({ isStale: true });
  loading.postpone();
}

/** Loads the preview again now, after an error. */
export const retryPreview = loading.runNow;

async function load(): Promise<void> {
  if (wanted === null) return;
  const { of, place } = wanted;
  // Invalid rules have no preview: the earlier preview stays and is marked as stale.
  if (rulesProblems(of.rules).length > 0) return;
  const request = previews.begin();
  const existingFiles = place === 'sheet' ? 'upload' : (of.existing ?? 'upload');
  const rules = { ...previewable(of.rules, texts.noCollection), existingFiles };
  try {
    const { path, folderId } = of;
    const preview = await call('watch.preview', { path, folderId, rules, limit: LIMITS[place] });
    if (request.isLatest()) usePreview.setState({ preview, isStale: false, error: null });
  } catch (thrown) {
    if (request.isLatest()) usePreview.setState({ error: toErrorData(thrown), isStale: false });
  }
}

export function closePreview(): void {
  wanted = null;
  previews.cancel();
  usePreview.setState(NONE);
}

type PreviewedFile = WatchPreview['files'][number];

/** The file that is selected in the preview, by its path: every change of the rules creates a new preview. */
export const useSelectedFile = create<{ path: string | null; verdict: PreviewedFile['verdict'] | null }>(() => ({
  path: null,
  verdict: null,
}));

/** Returns the pattern of a rule that decided about the selected file; null when another condition or rule decided. */
export function useMarkedGlob(ruleId: string): string | null {
  return useSelectedFile(({ verdict }) => {
    const { clause } = verdict?.ruleId === ruleId ? verdict : { clause: null };
    if (clause === null || !('glob' in clause)) return null;
    return clause.glob;
  });
}
