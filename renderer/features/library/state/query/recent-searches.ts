import { create } from 'zustand';
import { storedJson } from '../../../common/state/stored-json.ts';

const KEY = 'mediadesk.recent-searches';
/** The number of searches that are kept for each account. */
const MOST = 20;

/** By account, the latest search first. */
type Searches = Readonly<Record<string, readonly string[]>>;

export const useRecentSearches = create<{ bySite: Searches }>(() => ({ bySite: read() }));

/** Entries that this version can't read are left out. */
function read(): Searches {
  const stored = storedJson(KEY);
  if (typeof stored !== 'object' || stored === null) return {};
  return Object.fromEntries(
    Object.entries(stored).flatMap(([siteId, texts]) =>
      Array.isArray(texts) ? [[siteId, texts.filter((text): text is string => typeof text === 'string')]] : [],
    ),
  );
}

function store(bySite: Searches): void {
  useRecentSearches.setState({ bySite });
  try {
    localStorage.setItem(KEY, JSON.stringify(bySite));
  } catch (thrown) {
    // They are offered until the window closes.
    console.warn('Recent searches not kept', thrown);
  }
}

/** Notes a search that the user used. */
export function noteSearch(siteId: string, search: string): void {
  const text = search.trim();
  const { bySite } = useRecentSearches.getState();
  const before = bySite[siteId] ?? [];
  if (text === '' || before[0] === text) return;
  store({ ...bySite, [siteId]: [text, ...before.filter((each) => each !== text)].slice(0, MOST) });
}

/** Removes the searches of an account: the user asked for it, or signed out. */
export function forgetSearches(siteId: string): void {
  const { [siteId]: _, ...others } = useRecentSearches.getState().bySite;
  store(others);
}
