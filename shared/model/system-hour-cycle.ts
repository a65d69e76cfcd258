import type { WeekStart } from './calendar/calendar-days.ts';
import type { HourCycle } from './date-time.ts';

/** The types of the language don't know this function yet. Its days are 1, Monday, to 7. */
type LocaleOfWeeks = Intl.Locale & { getWeekInfo(): { firstDay: number } };

export interface HourCycleSources {
  /** As Node names it: `linux`, `darwin`, `win32`. */
  platform: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The locale of the system for dates and numbers, such as `en-GB`; empty when unknown. */
  systemLocale: string;
  /** Reads a yes-or-no setting of macOS. */
  readMacSetting?(name: string): boolean;
}

/**
 * Returns whether the system shows times with 12 or 24 hours. macOS has a separate setting for it; on Linux `LC_ALL`, `LC_TIME`
 * and `LANG` decide in this order; on other systems the system's locale does.
 */
export function systemHourCycle({ platform, env, systemLocale, readMacSetting }: HourCycleSources): HourCycle {
  if (platform === 'darwin') {
    if (readMacSetting?.('AppleICUForce24HourTime')) return 'h23';
    if (readMacSetting?.('AppleICUForce12HourTime')) return 'h12';
  }
  return hourCycleOf(timeLocaleOf({ platform, env, systemLocale }));
}

/** Returns the day with which the system begins weeks, by the same locale: 0 is Sunday. Monday when the locale is unknown. */
export function systemWeekStart(sources: HourCycleSources): WeekStart {
  try {
    const locale = new Intl.Locale(timeLocaleOf(sources)) as LocaleOfWeeks;
    return (locale.getWeekInfo().firstDay % 7) as WeekStart;
  } catch {
    return 1;
  }
}

function timeLocaleOf({ platform, env, systemLocale }: HourCycleSources): string {
  const fromEnv = platform === 'linux' ? localeOf(env.LC_ALL || env.LC_TIME || env.LANG || '') : null;
  return fromEnv ?? systemLocale;
}

/** Converts `en_GB.UTF-8` to a language tag; null for a locale without a language, such as `C`. */
function localeOf(posix: string): string | null {
  const tag = posix.replace(/[.@].*$/s, '').replaceAll('_', '-');
  return tag === '' || tag === 'C' || tag === 'POSIX' ? null : tag;
}

function hourCycleOf(locale: string): HourCycle {
  try {
    const { hourCycle } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions();
    return hourCycle === 'h11' || hourCycle === 'h12' ? 'h12' : 'h23';
  } catch {
    // The hours of an invalid tag are unknown.
    return 'h23';
  }
}
