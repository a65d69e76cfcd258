import { useMemo } from 'react';
import { create } from 'zustand';
import { type ReadDays, readSkippedDays } from '../../../../shared/model/series/series-text.ts';
import { changeSettings, useSettings } from './settings-store.ts';

/**
 * The text of the days without publication while the user changes it; null: the field shows the days of the profile. `base`: these
 * days when the user began.
 */
interface TypedDays {
  text: string;
  base: readonly string[];
}

/** The days without publication, as a text with one a line and as they were read from it. */
export interface DaysOff {
  text: string;
  read: ReadDays;
}

const useTyped = create<{ typed: TypedDays | null }>(() => ({ typed: null }));

function storedDays(): readonly string[] | null {
  return useSettings.getState().settings?.daysWithoutPublication ?? null;
}

/** Returns the days without publication of the profile, with the changes that are not stored yet; null until they are loaded. */
export function useDaysOff(): DaysOff | null {
  const stored = useSettings(({ settings }) => settings?.daysWithoutPublication ?? null);
  const typed = useTyped((state) => state.typed);
  return useMemo(() => (stored === null ? null : daysOffOf(typed, stored)), [typed, stored]);
}

/** The same outside of components, at this moment. */
export function currentDaysOff(): DaysOff | null {
  const stored = storedDays();
  return stored === null ? null : daysOffOf(useTyped.getState().typed, stored);
}

function daysOffOf(typed: TypedDays | null, stored: readonly string[]): DaysOff {
  if (typed === null) return { text: stored.join('\n'), read: { days: [...stored] } };
  return { text: typed.text, read: changedDays(typed, stored) };
}

/** Returns the days of the profile with the changes of the user: other days may have been stored in the meantime. */
function changedDays({ text, base }: TypedDays, stored: readonly string[]): ReadDays {
  const read = readSkippedDays(text);
  if (!('days' in read)) return read;
  const [before, now] = [new Set(base), new Set(stored)];
  const kept = read.days.filter((day) => !before.has(day) || now.has(day));
  const others = stored.filter((day) => !before.has(day));
  return readSkippedDays([...kept, ...others].join('\n'));
}

/** Takes the text of the field while the user changes it. Nothing is stored before `saveDaysOff`. */
export function typeDaysOff(text: string): void {
  const stored = storedDays();
  if (stored !== null) useTyped.setState(({ typed }) => ({ typed: { text, base: typed?.base ?? stored } }));
}

/** Stores the changed days in the profile, unless a line is no day. When that fails, a message says why, and the text stays. */
export async function saveDaysOff(): Promise<void> {
  const { typed } = useTyped.getState();
  const daysOff = currentDaysOff();
  if (typed === null || daysOff === null || !('days' in daysOff.read)) return;
  const { text, base } = typed;
  const { days } = daysOff.read;
  const isStored = () => storedDays()?.join() === days.join();
  if (!isStored()) {
    const saving = changeSettings({ daysWithoutPublication: days });
    // What the user changes from now on is a change of these days.
    useTyped.setState({ typed: { text, base: days } });
    await saving;
  }
  useTyped.setState(({ typed: now }) => {
    if (now === null) return { typed: null };
    if (!isStored()) return { typed: { ...now, base } };
    return { typed: now.text === text ? null : now };
  });
}

/** Drops changes that are not stored, when the field is closed. */
export function dropTypedDays(): void {
  useTyped.setState({ typed: null });
}
