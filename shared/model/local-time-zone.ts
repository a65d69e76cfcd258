import { isTimeZone, localTimeIn } from './zoned-time.ts';

/** Dates far enough ahead for the current rules of each zone: one in winter, one in summer. */
const SAMPLES = [Date.UTC(2037, 0, 15), Date.UTC(2037, 6, 15)];

/**
 * Returns the name of this computer's time zone, such as `Europe/Vienna`: the only place that asks the system for it. Some systems
 * name none, or one that does not exist (`TZ=:/etc/localtime`, Windows images without a zone: `Etc/Unknown`). Then it is a zone with
 * the offset that this process uses for local times, such as `Etc/GMT-1` (one hour ahead of UTC). The result is always a valid zone.
 */
export function localTimeZone(): string {
  const name: unknown = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return isNamed(name) ? name : zoneByOffset();
}

/** Returns whether the system names the time zone of this computer. */
export function isLocalZoneNamed(): boolean {
  return isNamed(Intl.DateTimeFormat().resolvedOptions().timeZone);
}

/** A name that is only an offset, such as `+01:00`, can have the wrong sign: `TZ=GMT+1` means one hour behind UTC. */
function isNamed(name: unknown): name is string {
  return typeof name === 'string' && /^[A-Za-z]/.test(name) && isTimeZone(name);
}

function zoneByOffset(): string {
  // The signs of these names are reversed: `Etc/GMT-1` is one hour ahead of UTC, as in POSIX.
  const hours = new Date(SAMPLES[0] ?? 0).getTimezoneOffset() / 60;
  const whole = hours === 0 ? 'UTC' : `Etc/GMT${hours < 0 ? '-' : '+'}${Math.abs(hours)}`;
  return [whole, ...Intl.supportedValuesOf('timeZone')].find((zone) => isTimeZone(zone) && isLocal(zone)) ?? 'UTC';
}

/** Returns whether a zone has the local times of this process. */
function isLocal(zone: string): boolean {
  return SAMPLES.every((at) => {
    const minutes = (Date.parse(`${localTimeIn(at, zone)}Z`) - at) / 60_000;
    return minutes === -new Date(at).getTimezoneOffset();
  });
}
