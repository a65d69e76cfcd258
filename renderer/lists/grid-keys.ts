import { keyTarget, type ListShape, type Modifiers } from './selection.ts';

/** What a key does in a grid. `toggle`, `deselect` and `activate` refer to the current row and selection. */
export type GridCommand =
  | { kind: 'move'; to: number }
  | { kind: 'select-all' }
  | { kind: 'toggle' }
  | { kind: 'deselect' }
  | { kind: 'activate' };

export interface GridKeyState extends ListShape {
  /** Index of the current row; -1 for none. */
  focus: number;
  selectedCount: number;
  /** Only one row can be selected, and one always is. */
  isSingle: boolean;
  canActivate: boolean;
}

export interface GridKey extends Modifiers {
  key: string;
  alt: boolean;
}

/** Returns the command of a key; null when the grid does not use it, so that the view may. */
export function gridCommand({ key, alt, toggle }: GridKey, state: GridKeyState): GridCommand | null {
  const to = alt ? null : keyTarget(key, state.focus, state);
  if (to !== null) return { kind: 'move', to };
  if (key === 'a' && toggle) return { kind: 'select-all' };
  if (key === 'Escape' && state.selectedCount > 0 && !state.isSingle) return { kind: 'deselect' };
  if (state.focus < 0) return null;
  if (key === ' ') return { kind: 'toggle' };
  return key === 'Enter' && state.canActivate ? { kind: 'activate' } : null;
}
