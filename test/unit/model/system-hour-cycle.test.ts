import { describe, expect, it } from 'vitest';
import { systemHourCycle, systemWeekStart } from '../../../shared/model/system-hour-cycle.ts';

const linux = (env: Record<string, string>, systemLocale = '') =>
  systemHourCycle({ platform: 'linux', env, systemLocale });

describe('the hour cycle of the system', () => {
  it.each([
    ['en-US', 'h12'],
    ['en-AU', 'h12'],
    ['en-GB', 'h23'],
    ['de-AT', 'h23'],
    ['ja-JP', 'h23'],
    ['', 'h23'],
    ['not a locale', 'h23'],
  ] as const)('with the locale “%s” is %s on Windows', (systemLocale, cycle) => {
    expect(systemHourCycle({ platform: 'win32', env: { LC_TIME: 'en_US.UTF-8' }, systemLocale })).toBe(cycle);
  });

  it('is that of LC_TIME on Linux, then of LANG; LC_ALL comes before both', () => {
    expect(linux({ LANG: 'en_US.UTF-8' })).toBe('h12');
    expect(linux({ LANG: 'en_US.UTF-8', LC_TIME: 'de_AT.UTF-8' })).toBe('h23');
    expect(linux({ LC_TIME: 'de_AT.UTF-8', LC_ALL: 'en_US.UTF-8' })).toBe('h12');
    expect(linux({ LANG: 'en_US@euro' })).toBe('h12');
  });

  it('is that of the system locale on Linux when the environment names no language', () => {
    expect(linux({}, 'en-US')).toBe('h12');
    expect(linux({ LANG: 'C.UTF-8' }, 'en-US')).toBe('h12');
    expect(linux({ LANG: 'POSIX' }, 'en-GB')).toBe('h23');
  });

  it('is that of the setting of macOS before that of its locale', () => {
    const mac = (on: string, systemLocale: string) =>
      systemHourCycle({ platform: 'darwin', env: {}, systemLocale, readMacSetting: (name) => name === on });
    expect(mac('AppleICUForce24HourTime', 'en-US')).toBe('h23');
    expect(mac('AppleICUForce12HourTime', 'de-DE')).toBe('h12');
    expect(mac('', 'en-US')).toBe('h12');
  });
});

describe('the week of the system', () => {
  it.each([
    ['en-US', 0],
    ['en-GB', 1],
    ['de-AT', 1],
    ['pt-BR', 0],
    ['ar-EG', 6],
    ['', 1],
    ['not a locale', 1],
  ] as const)('begins with the locale “%s” on day %i on Windows', (systemLocale, day) => {
    expect(systemWeekStart({ platform: 'win32', env: {}, systemLocale })).toBe(day);
  });

  it('begins by the locale for times on Linux', () => {
    const env = { LANG: 'de_DE.UTF-8', LC_TIME: 'en_US.UTF-8' };
    expect(systemWeekStart({ platform: 'linux', env, systemLocale: 'de-DE' })).toBe(0);
  });
});
