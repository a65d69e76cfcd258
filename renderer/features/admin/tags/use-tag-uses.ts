import { useEffect, useState } from 'react';
import { useAdmin } from '../state/admin-store.ts';
import { countTagUses, type TagUses } from '../state/tag-uses.ts';

const NOTHING: TagUses = { counts: new Map(), isDone: false, error: null };

/** Asks the library how many items have each of these tags, and again after each change; the earlier numbers stay until then. */
export function useTagUses(names: readonly string[]): TagUses & { load: () => void } {
  const siteId = useAdmin((state) => state.siteId);
  const changes = useAdmin((state) => state.changes);
  const key = JSON.stringify([siteId, ...names]);
  const [state, setState] = useState({ key, uses: NOTHING });
  const [attempts, setAttempts] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again after each change
  useEffect(() => {
    if (siteId === null) return;
    return countTagUses(siteId, names, (next) =>
      setState(({ key: keyBefore, uses }) => {
        const before = keyBefore === key ? uses : NOTHING;
        const counts = new Map([...before.counts, ...next.counts]);
        return { key, uses: { counts, isDone: before.isDone || next.isDone, error: next.error } };
      }),
    );
  }, [key, changes, attempts]);
  const load = () => setAttempts((count) => count + 1);
  return { ...(state.key === key ? state.uses : NOTHING), load };
}
