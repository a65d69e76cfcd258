/** Choices about the layout of the window. They may be lost at any time without harm. */
interface Preferences {
  treeWidth: number;
  inspectorWidth: number;
  isSidebarOpen: boolean;
  isInspectorOpen: boolean;
  expanded: string[];
}

const KEY = 'mediadesk.preferences';
const DEFAULTS: Preferences = {
  treeWidth: 248,
  inspectorWidth: 340,
  isSidebarOpen: true,
  isInspectorOpen: true,
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
    // When the storage is full or not available, only these choices are lost.
  }
}

function read(): Preferences {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return validPreferences(stored);
  } catch {
    return DEFAULTS;
  }
}

/** Returns the valid preferences of stored data, whatever version of the app wrote it. */
export function validPreferences(stored: unknown): Preferences {
  const from = typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : {};
  const width = (value: unknown, fallback: number) =>
    typeof value === 'number' && value >= 160 && value <= 900 ? value : fallback;
  return {
    treeWidth: width(from.treeWidth, DEFAULTS.treeWidth),
    inspectorWidth: width(from.inspectorWidth, DEFAULTS.inspectorWidth),
    isSidebarOpen: from.isSidebarOpen !== false,
    isInspectorOpen: from.isInspectorOpen !== false,
    expanded: Array.isArray(from.expanded) ? from.expanded.filter((id) => typeof id === 'string').slice(0, 500) : [],
  };
}
