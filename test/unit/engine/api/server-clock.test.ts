import { expect, it } from 'vitest';
import { ServerClock } from '../../../../electron/engine/api/server-clock.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';

const DATE = 'Thu, 01 Jan 2026 05:00:00 GMT';
const AT = Date.parse(DATE);

function measured(headers: { date?: string; age?: string } = { date: DATE }) {
  const clock = new ManualClock();
  let setBy = 0;
  const wall = {
    now: () => clock.now() + setBy,
    monotonic: () => clock.monotonic() + 0.25,
    schedule: clock.schedule.bind(clock),
  };
  const server = new ServerClock(wall);
  server.observe(headers, 20);
  const set = (byMs: number) => {
    setBy += byMs;
  };
  return { clock, server, set };
}

it('the service’s time is computed from the Date header, not from the local time', () => {
  const { clock, server } = measured();
  clock.advance(30_000);
  expect(server.now()).toBe(AT + 30_000);
});

it('a measurement of the service’s time is discarded after one minute, or when the local clock changes', () => {
  const old = measured();
  old.clock.advance(61_000);
  expect([old.server.now(), old.server.isStale]).toEqual([null, true]);
  old.server.observe({ date: DATE }, 20);
  expect(old.server.now()).toBe(AT);
  old.set(86_400_000);
  expect(old.server.now()).toBeNull();
});

it.each([{}, { date: 'today' }, { date: DATE, age: '3600' }])(
  'the service’s time is unknown, and no further measurement is due, when the headers are %j',
  (headers) => {
    const { server } = measured(headers);
    expect([server.now(), server.isStale]).toEqual([null, false]);
  },
);

it('the time of a fast answer is kept when a slow answer arrives with an outdated time', () => {
  const { clock, server } = measured();
  clock.advance(30_000);
  // The service wrote this answer 20 s ago.
  server.observe({ date: new Date(AT + 10_000).toUTCString() }, 25_000);
  expect(server.now()).toBe(AT + 30_000);
  server.observe({ date: new Date(AT + 30_000).toUTCString() }, 25_000);
  clock.advance(45_000);
  expect(server.now()).toBe(AT + 75_000);
});

it('an earlier time is used immediately when the service’s clock was set back', () => {
  const { clock, server } = measured();
  clock.advance(30_000);
  server.observe({ date: new Date(AT - 90_000).toUTCString() }, 300);
  expect(server.now()).toBe(AT - 90_000);
});
