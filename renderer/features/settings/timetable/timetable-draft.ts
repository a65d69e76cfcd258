import type { TimetableWindow } from '../../../../shared/contract/settings.ts';
import { texts } from '../texts.ts';
import { windowWords } from './timetable-text.ts';

/** A time window that the user edits: its day or a time may still be missing. */
export interface TimetableDraft extends TimetableWindow {
  key: number;
  /** The last complete version, which stays active until the edited window is complete again. */
  active: TimetableWindow;
}

let nextKey = 1;

export function draftOf(window: TimetableWindow): TimetableDraft {
  return { ...window, key: nextKey++, active: window };
}

export function isComplete({ days, from, to }: TimetableWindow): boolean {
  return days.length > 0 && from !== '' && to !== '';
}

export function edited(draft: TimetableDraft, change: Partial<TimetableWindow>): TimetableDraft {
  const { key, active, ...window } = { ...draft, ...change };
  return { ...window, key, active: isComplete(window) ? window : active };
}

/** Returns the timetable of the edited windows. */
export function windowsOf(drafts: readonly TimetableDraft[]): TimetableWindow[] {
  return drafts.map(({ active }) => active);
}

/** Returns the text about missing input of a window and the version that is active until then; null for a complete window. */
export function incompleteWords(draft: TimetableDraft): string | null {
  if (isComplete(draft)) return null;
  const missing = draft.days.length === 0 ? texts.timetable.dayMissing : texts.timetable.timeMissing;
  return texts.timetable.untilComplete(missing, windowWords(draft.active));
}
