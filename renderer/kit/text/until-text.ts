import { formatClock, formatDateTime, formatTimeOfDay } from './format.ts';
import { texts } from './texts.ts';

/** An instant in everyday words: `20:00`, `tomorrow 08:00`, `24 Nov 2026, 08:00`. */
export function untilWords(untilMs: number, nowMs: number): string {
  const until = new Date(untilMs);
  const now = new Date(nowMs);
  const clock = formatClock(until);
  if (until.toDateString() === now.toDateString()) return clock;
  const tomorrow = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
  return until.toDateString() === tomorrow.toDateString() ? texts.tomorrow(clock) : formatDateTime(untilMs);
}

interface PauseChoice {
  id: string;
  label: string;
  untilMs: number;
}

const HOUR_MS = 3_600_000;

/** Returns common end times of a pause, without times in the past. */
export function pauseChoices(nowMs: number): PauseChoice[] {
  const now = new Date(nowMs);
  const at = (days: number, hours: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hours).getTime();
  const choices: PauseChoice[] = [
    { id: 'hour', label: texts.pause.hour(untilWords(nowMs + HOUR_MS, nowMs)), untilMs: nowMs + HOUR_MS },
    { id: 'tonight', label: texts.pause.tonight(formatTimeOfDay(20, 0)), untilMs: at(0, 20) },
    { id: 'tomorrow', label: texts.pause.tomorrow(formatTimeOfDay(8, 0)), untilMs: at(1, 8) },
  ];
  return choices.filter(({ untilMs }) => untilMs > nowMs + 60_000);
}
