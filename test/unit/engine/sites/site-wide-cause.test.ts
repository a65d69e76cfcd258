import { expect, it } from 'vitest';
import { SiteBreakers } from '../../../../electron/engine/sites/site-breakers.ts';
import { siteError, siteWideCause } from '../../../../electron/engine/sites/site-wide-cause.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';

const GATEWAY = appError('network.gateway', { details: { status: 502 } });
const clock = new ManualClock();
const answers = { breakers: new SiteBreakers(clock), probe: async () => {} };
const isAway = { breakers: new SiteBreakers(clock), probe: () => Promise.reject(GATEWAY) };
const statusError = (status: number) => appError('api.server-error', { details: { status } });

it.each([502, 503, 504, 520, 524])('an error %s concerns the whole site only if a probe fails, too', async (status) => {
  const error = statusError(status);
  expect(await siteError('s1', error, answers)).toBeNull();
  expect(await siteWideCause('s1', error, answers)).toBe(error);
  expect(await siteError('s1', error, isAway)).toBe(GATEWAY);
  expect(await siteWideCause('s1', error, isAway)).toBe(GATEWAY);
});

it.each([500, 507, 429, 404])('an error %s concerns its request only, without a probe', async (status) => {
  const error = statusError(status);
  expect(await siteError('s1', error, isAway)).toBeNull();
  expect(await siteWideCause('s1', error, isAway)).toBe(error);
});

it('a request before which the library had just come back uses a retry, because it may stop the library each time', async () => {
  const time = new ManualClock();
  const breakers = new SiteBreakers(time);
  const tools = { breakers, probe: isAway.probe };
  const error = statusError(502);
  expect(await siteError('s1', error, tools)).toBe(GATEWAY);
  breakers.report('s1', GATEWAY.toData());
  breakers.close('s1');
  time.advance(4 * 60_000);
  expect(await siteError('s1', error, tools)).toBeNull();
  expect(breakers.errorOf('s1')?.code).toBe('network.gateway');
  breakers.close('s1');
  time.advance(6 * 60_000);
  expect(await siteError('s1', error, tools)).toBe(GATEWAY);
});

it('an error of the token endpoint concerns the whole site, without a probe', async () => {
  const error = appError('network.gateway', { details: { status: 502, lacks: 'token' } });
  expect(await siteError('s1', error, answers)).toBe(error);
});

it('a network error of an edit stays its own error when the site answers, and becomes a lost connection of an upload', async () => {
  const error = appError('network.unreachable');
  expect(await siteError('s1', error, answers)).toBeNull();
  expect(await siteWideCause('s1', error, answers)).toMatchObject({ code: 'upload.connection-lost' });
  expect(await siteWideCause('s1', appError('network.tls'), answers)).toMatchObject({
    code: 'upload.destination-untrusted',
  });
});
