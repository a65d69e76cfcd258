import { afterEach, expect, it } from 'vitest';
import { nameTimeZone } from '../../../renderer/named-time-zone.ts';

const zone = process.env.TZ;
const { resolvedOptions } = Intl.DateTimeFormat.prototype;
afterEach(() => {
  Intl.DateTimeFormat.prototype.resolvedOptions = resolvedOptions;
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

it.each(['Etc/Unknown', ':/etc/localtime', 'UTC-3'])(
  'names a zone to the calendars of the page for TZ=%s',
  (setting) => {
    process.env.TZ = setting;
    const instant = new Date(Date.UTC(2031, 4, 6, 9, 30));
    const hour = instant.getHours();
    nameTimeZone();
    const { timeZone } = new Intl.DateTimeFormat('en').resolvedOptions();
    const shown = new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(instant);
    expect(Number(shown)).toBe(hour);
    expect(new Intl.DateTimeFormat('en', { timeZone: 'Asia/Tokyo' }).resolvedOptions().timeZone).toBe('Asia/Tokyo');
  },
);

it('changes nothing when the system names its zone', () => {
  process.env.TZ = 'Europe/Vienna';
  nameTimeZone();
  expect(Intl.DateTimeFormat.prototype.resolvedOptions).toBe(resolvedOptions);
});
