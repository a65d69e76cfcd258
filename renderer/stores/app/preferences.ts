/** Small choices of this person on this computer: widths, what is open. Never anything that matters. */
interface Preferences {
  treeWidth: number;
  inspectorWidth: number;
  expanded: string[];
}

const KEY = 'mediadesk.preferences';
const DEFAULTS: Preferences = {
  treeWidth: 248,
  inspectorWidth: 340,
  expanded: [],
};

let current: Preferences | null = null;

export function preferences(): Preferences {
  current ??= read();
  return current;
}

export function savePreferences(change: Partial<Preferences>): void {
  current = { ...preferences(), ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // A full or forbidden storage costs the person a remembered width, nothing more.
  }
}

function read(): Preferences {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return cleanPreferences(stored);
  } catch {
    return DEFAULTS;
  }
}

/** What was stored by any version, as preferences that are safe to use. */
export function cleanPreferences(stored: unknown): Preferences {
  const from = typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : {};
  const width = (value: unknown, fallback: number) =>
    typeof value === 'number' && value >= 160 && value <= 900 ? value : fallback;
  return {
    treeWidth: width(from.treeWidth, DEFAULTS.treeWidth),
    inspectorWidth: width(from.inspectorWidth, DEFAULTS.inspectorWidth),
    expanded: Array.isArray(from.expanded) ? from.expanded.filter((id) => typeof id === 'string').slice(0, 500) : [],
  };
}
