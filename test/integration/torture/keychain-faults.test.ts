import { expect, it } from 'vitest';
import { failKeychainCalls } from '../../torture/keychain/keychain-campaign.ts';

it('a keychain that fails in any call fails no upload, loses no recoverable sign-in, and is reported', async () => {
  // Every kind and duration of fault at every call: `npm run torture -- keychain`.
  const report = await failKeychainCalls({ thorough: false }, () => {});
  expect(report.broken).toEqual([]);
  expect(report.calls).toBeGreaterThan(25);
  expect(report.calls).toBeLessThan(200);
  expect(report.journeys).toBeGreaterThan(report.calls);
  // While the keychain failed, the queue was idle and reported the error code.
  expect([...report.reasons]).toContain('keychain.unavailable');
  expect([...report.reasons]).toContain('keychain.locked');
}, 600_000);
