import { create } from 'zustand';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { WatchPreview } from '../../../shared/contract/watch.ts';
import type { WatchRules } from '../../../shared/contract/watch-rules.ts';
import { rulesProblems } from '../../../shared/model/watch/rules-problems.ts';
import { delayed } from '../../async/delayed.ts';
import { latestOnly } from '../../async/latest-only.ts';
import { call } from '../../bridge/bridge.ts';
import { toErrorData } from '../../text/errors.ts';
import { previewable } from './rules-draft.ts';
import { texts } from './texts.ts';

interface PreviewState {
  /** What would happen to each file; null before the first answer. */
  preview: WatchPreview | null;
  /** `preview` belongs to earlier rules: newer ones are being previewed, or they can't be used. */
  isStale: boolean;
  error: AppErrorData | null;
}

const NONE: PreviewState = { preview: null, isStale: false, error: null };

export const usePreview = create<PreviewState>(() => NONE);

/** What a preview is made of. */
interface Previewed {
  folderId: string | null;
  path: string;
  rules: WatchRules;
  existing: WatchRules['existingFiles'] | null;
}

/** Waits for the end of typing. */
const DELAY_MS = 250;
/** The most files that are listed. */
const LIMITS = { sheet: 50, editor: 2000 } as const;

let wanted: { of: Previewed; place: keyof typeof LIMITS } | null = null;
const previews = latestOnly();
const loading = delayed(() => void load(), DELAY_MS);

/**
 * Previews rules shortly after they changed. The sheet for a new folder always previews the files that are there already, for
 * examples of titles; the editor follows the choice about them.
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
  // Rules that can't be used have no preview: the earlier one stays, marked as stale.
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
