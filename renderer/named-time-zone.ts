import { isLocalZoneNamed, localTimeZone } from '../shared/model/local-time-zone.ts';

/**
 * Gives every date format of the page a time zone with a name. The shell names one before it opens the window; where the system
 * ignores that, calendars would throw for a zone such as `Etc/Unknown`.
 */
export function nameTimeZone(): void {
  if (isLocalZoneNamed()) return;
  const timeZone = localTimeZone();
  const { prototype } = Intl.DateTimeFormat;
  const { resolvedOptions } = prototype;
  const unnamed = Intl.DateTimeFormat().resolvedOptions().timeZone;
  prototype.resolvedOptions = function (this: Intl.DateTimeFormat) {
    const options = resolvedOptions.call(this);
    return options.timeZone === unnamed ? { ...options, timeZone } : options;
  };
}
