/** The input for the positions of the panes of the window. All lengths are CSS pixels, so that zoom counts as less room. */
export interface PaneWishes {
  /** Width of the window. */
  width: number;
  treeWidth: number;
  inspectorWidth: number;
  isSidebarOpen: boolean;
  isInspectorOpen: boolean;
}

export interface Panes {
  /** `docked`: beside the view. `rail`: icons only, and the whole sidebar in a drawer on request. */
  sidebar: 'docked' | 'rail';
  sidebarWidth: number;
  /** Whether there is room for the whole sidebar beside the view. */
  canDockSidebar: boolean;
  /** `docked`: beside the list. `closed`: not shown, in a drawer on request when there is no room. */
  inspector: 'docked' | 'closed';
  inspectorWidth: number;
  canDockInspector: boolean;
  /** The remaining width for the view, with the inspector. */
  viewWidth: number;
}

export const RAIL_WIDTH = 48;
const SIDEBAR_FROM = 760;
const MOST_SIDEBAR_SHARE = 0.35;
const LEAST_LIST = 400;
export const LEAST_INSPECTOR = 280;

/**
 * Returns the positions of the panes. The sidebar needs a window of 760 pixels. The inspector gets narrower, down to 280 pixels,
 * so that the list keeps 400; with less room it is not docked.
 */
export function panesOf({ width, treeWidth, inspectorWidth, isSidebarOpen, isInspectorOpen }: PaneWishes): Panes {
  const canDockSidebar = width >= SIDEBAR_FROM;
  const isDocked = canDockSidebar && isSidebarOpen;
  const sidebarWidth = Math.min(treeWidth, Math.floor(width * MOST_SIDEBAR_SHARE));
  const viewWidth = width - (isDocked ? sidebarWidth : RAIL_WIDTH);
  const room = viewWidth - LEAST_LIST;
  const canDockInspector = room >= LEAST_INSPECTOR;
  return {
    sidebar: isDocked ? 'docked' : 'rail',
    sidebarWidth,
    canDockSidebar,
    inspector: canDockInspector && isInspectorOpen ? 'docked' : 'closed',
    inspectorWidth: canDockInspector ? Math.min(inspectorWidth, room) : inspectorWidth,
    canDockInspector,
    viewWidth,
  };
}
