import { keyTarget, type ListShape, type Modifiers } from './selection.ts';

/** The effect of a key in a grid. All except `move` and `select-all` refer to the current row and selection. */
export type RowCommand =
  | { kind: 'move'; to: number }
  | { kind: 'select-all' }
  | { kind: 'toggle' }
  | { kind: 'deselect' }
  | { kind: 'activate' }
  | { kind: 'preview' };

export interface RowKeyState extends ListShape {
  /** Index of the current row; -1 for none. */
  focus: number;
  selectedCount: number;
  /** Only one row can be selected, and one row is always selected. */
  isSingle: boolean;
  canActivate: boolean;
  /** Space previews the current row; with Ctrl, ⌘ or Shift it changes the selection. */
  canPreview?: boolean;
}

export interface RowKey extends Modifiers {
  key: string;
  alt: boolean;
  /** Ctrl, also on a Mac, where ⌘+Space belongs to the system. */
  ctrl?: boolean;
}

/** Returns the command of a key; null when the grid does not use the key, so that the view may use it. */
export function rowCommand({ key, alt, ctrl = false, toggle, shift }: RowKey, state: RowKeyState): RowCommand | null {
  const to = alt ? null : keyTarget(key, state.focus, state);
  if (to !== null) return { kind: 'move', to };
  if (key === 'a' && toggle) return { kind: 'select-all' };
  if (key === 'Escape' && state.selectedCount > 0 && !state.isSingle) return { kind: 'deselect' };
  if (state.focus < 0) return null;
  if (alt) return null;
  if (key === ' ') return { kind: state.canPreview && !ctrl && !toggle && !shift ? 'preview' : 'toggle' };
  return key === 'Enter' && state.canActivate ? { kind: 'activate' } : null;
}
