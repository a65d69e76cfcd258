import { create } from 'zustand';
import { LEAST_INSPECTOR, type Panes, type PaneWishes, panesOf } from './panes.ts';
import { preferences, savePreferences } from './preferences.ts';

type Drawer = 'sidebar' | 'inspector';

interface LayoutState extends PaneWishes {
  panes: Panes;
  /** The pane that is open above the view, because there is no room beside it. */
  drawer: Drawer | null;
}

/** A width with room for everything, until the window reports its own. */
const WIDE = 1280;

/** The positions of the panes of the window. The choices are stored; an open drawer is not. */
export const useLayout = create<LayoutState>(() => {
  const { treeWidth, inspectorWidth, isSidebarOpen, isInspectorOpen } = preferences();
  const wishes = { width: WIDE, treeWidth, inspectorWidth, isSidebarOpen, isInspectorOpen };
  return { ...wishes, panes: panesOf(wishes), drawer: null };
});

function change(wishes: Partial<PaneWishes>): void {
  useLayout.setState((state) => {
    const panes = panesOf({ ...state, ...wishes });
    const isDrawerNeeded =
      state.drawer === 'sidebar' ? !panes.canDockSidebar : state.drawer === 'inspector' && !panes.canDockInspector;
    return { ...wishes, panes, drawer: isDrawerNeeded ? state.drawer : null };
  });
}

/** Stores the width of the window in CSS pixels: after a resize and after a zoom. */
export function takeWindowWidth(width: number): void {
  if (width !== useLayout.getState().width) change({ width });
}

/** Changes the width of the sidebar; `isEnd` stores it. */
export function resizeSidebar(treeWidth: number, isEnd: boolean): void {
  change({ treeWidth });
  if (isEnd) savePreferences({ treeWidth });
}

/** Changes the width of the inspector; `isEnd` stores it. */
export function resizeInspector(width: number, isEnd: boolean): void {
  const inspectorWidth = Math.max(LEAST_INSPECTOR, width);
  change({ inspectorWidth });
  if (isEnd) savePreferences({ inspectorWidth });
}

/** Shows or hides the whole sidebar: beside the view, or in a drawer when there is no room. */
export function toggleSidebar(): void {
  const { panes, drawer, isSidebarOpen } = useLayout.getState();
  if (!panes.canDockSidebar) {
    useLayout.setState({ drawer: drawer === 'sidebar' ? null : 'sidebar' });
    return;
  }
  change({ isSidebarOpen: !isSidebarOpen });
  savePreferences({ isSidebarOpen: !isSidebarOpen });
}

/** Shows or hides the inspector: beside the list, or in a drawer when there is no room. */
export function toggleInspector(): void {
  const { panes, drawer, isInspectorOpen } = useLayout.getState();
  if (!panes.canDockInspector) {
    useLayout.setState({ drawer: drawer === 'inspector' ? null : 'inspector' });
    return;
  }
  change({ isInspectorOpen: !isInspectorOpen });
  savePreferences({ isInspectorOpen: !isInspectorOpen });
}

/** Shows the inspector if it is hidden. */
export function openInspector(): void {
  const { panes, drawer } = useLayout.getState();
  if (panes.inspector !== 'docked' && drawer !== 'inspector') toggleInspector();
}

export function closeDrawer(): void {
  if (useLayout.getState().drawer !== null) useLayout.setState({ drawer: null });
}
