import { afterEach, describe, expect, it } from 'vitest';
import { isLocalZoneNamed, localTimeZone } from '../../../shared/model/local-time-zone.ts';
import { localTimeIn, offsetText } from '../../../shared/model/zoned-time.ts';

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

describe('the time zone of this computer', () => {
  it.each(['Europe/Vienna', 'America/New_York', 'Asia/Tokyo', 'UTC'])('is %s when the system names it', (name) => {
    process.env.TZ = name;
    expect(localTimeZone()).toBe(name);
    expect(isLocalZoneNamed()).toBe(true);
  });

  it.each([
    ['Etc/Unknown', 'UTC'],
    ['', 'UTC'],
    // The offset of a time zone without a name. The signs of these names are reversed, as in POSIX.
    ['UTC-3', 'Etc/GMT-3'],
    ['GMT+1', 'Etc/GMT+1'],
  ])('has the offset of local times when the system names none (TZ=%s)', (setting, expected) => {
    process.env.TZ = setting;
    expect(isLocalZoneNamed()).toBe(false);
    expect(localTimeZone()).toBe(expected);
  });

  it.each([':/etc/localtime', '/etc/localtime', '/usr/share/zoneinfo/Asia/Kolkata', 'posixrules', 'UTC-5:30'])(
    'has the local times of this process for TZ=%s',
    (setting) => {
      process.env.TZ = setting;
      const at = Date.UTC(2031, 4, 6, 9, 30);
      const shown = new Date(at);
      const two = (value: number) => String(value).padStart(2, '0');
      expect(localTimeIn(at, localTimeZone()).slice(8)).toBe(
        `${two(shown.getDate())}T${two(shown.getHours())}:${two(shown.getMinutes())}`,
      );
      expect(offsetText(at, localTimeZone())).toMatch(/^UTC/);
    },
  );
});
