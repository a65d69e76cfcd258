import { useEffect, useState } from 'react';
import { untilCancelled } from '../../../kit/async/latest-only.ts';
import { showError } from '../../common/state/messages-store.ts';
import { useEdits } from '../../edits/state/edits-store.ts';
import { type CurrentValues, loadCurrentValues } from '../state/selection/bulk-store.ts';
import type { Target } from '../state/selection/media-selection.ts';

/** The current values of the items: `undefined` while they are read, null when there are too many items to read them all. */
export type Current = CurrentValues | null | undefined;

const DELAY_MS = 200;

/** Reads the current values of a selection shortly after its last change, and again after edits were sent. */
export function useCurrentValues(target: Target): Current {
  const [read, setRead] = useState<{ key: string; values: CurrentValues | null } | null>(null);
  const key = JSON.stringify(target.selection);
  const isSent = useEdits(({ totals }) => totals.pending === 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key changes with the selection; sent edits change the values
  useEffect(() => {
    let cancel = () => {};
    const timer = window.setTimeout(() => {
      cancel = untilCancelled(loadCurrentValues(target), (values) => setRead({ key, values }), showError);
    }, DELAY_MS);
    return () => {
      window.clearTimeout(timer);
      cancel();
    };
  }, [key, isSent]);
  return read?.key === key ? read.values : undefined;
}
