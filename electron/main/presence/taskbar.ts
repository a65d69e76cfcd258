import { app, type BrowserWindow } from 'electron';
import type { Activity } from './activity.ts';

/** What the taskbar or the dock shows of the work. `progress` -1: none. */
export interface TaskbarState {
  progress: number;
  mode: 'normal' | 'paused' | 'error';
  badge: number;
}

/** Returns what the taskbar shows: the sent share while uploads are open, and the number of things that need the user. */
export function taskbarState({ progress, isPaused, attention, uploads }: Activity): TaskbarState {
  const isShown = progress !== null && (uploads > 0 || isPaused);
  return {
    // In whole percents, so that a small step redraws nothing.
    progress: isShown ? Math.round(progress * 100) / 100 : -1,
    mode: isPaused ? 'paused' : 'normal',
    badge: attention,
  };
}

/** Shows progress and badge. Call with each change; a state that is shown already is not sent again. */
export function createTaskbar(window: () => BrowserWindow | null): (state: TaskbarState) => void {
  let shown = '';
  let badge = 0;
  return (state) => {
    const target = window();
    const next = JSON.stringify([state.progress, state.mode, target?.id]);
    if (next !== shown && target !== null && !target.isDestroyed()) {
      shown = next;
      target.setProgressBar(state.progress, { mode: state.progress < 0 ? 'none' : state.mode });
    }
    if (state.badge !== badge) {
      badge = state.badge;
      app.setBadgeCount(badge);
    }
  };
}
