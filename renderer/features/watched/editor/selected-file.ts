import { create } from 'zustand';
import type { WatchPreview } from '../../../../shared/contract/watch.ts';

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
