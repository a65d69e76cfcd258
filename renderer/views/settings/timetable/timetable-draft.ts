import type { TimetableWindow } from '../../../../shared/contract/settings.ts';
import { windowWords } from './timetable-text.ts';

/** A window while it is edited: it may have no day or no time yet. */
export interface TimetableDraft extends TimetableWindow {
  key: number;
  /** As it was when it was last whole: that holds until it is whole again. */
  inForce: TimetableWindow;
}

let nextKey = 1;

export function draftOf(window: TimetableWindow): TimetableDraft {
  return { ...window, key: nextKey++, inForce: window };
}

export function isWhole({ days, from, to }: TimetableWindow): boolean {
  return days.length > 0 && from !== '' && to !== '';
}

export function edited(draft: TimetableDraft, change: Partial<TimetableWindow>): TimetableDraft {
  const { key, inForce, ...window } = { ...draft, ...change };
  return { ...window, key, inForce: isWhole(window) ? window : inForce };
}

/** The timetable that these make. */
export function windowsOf(drafts: readonly TimetableDraft[]): TimetableWindow[] {
  return drafts.map(({ inForce }) => inForce);
}

/** What is missing and what holds meanwhile; null for a whole one. */
export function incompleteWords(draft: TimetableDraft): string | null {
  if (isWhole(draft)) return null;
  const missing = draft.days.length === 0 ? 'Choose at least one day.' : 'Enter both times.';
  return `${missing} Until then this holds as before: ${windowWords(draft.inForce)}.`;
}
