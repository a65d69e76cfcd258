// What the library reads from the claims of a provider, and how it keeps sign-ins under way.
import { describe, expect, test } from 'vitest';
import { readProviderIdentity } from '../../../service/oidc/identity.ts';
import { createPendingSignIns } from '../../../service/oidc/pending.ts';
import { mergeClaims } from '../../../service/oidc/provider-flow.ts';

const CAMPUS = { name: 'campus' };

describe('the identity in claims', () => {
  test('has the longest unique_id that the API accepts', () => {
    const identity = readProviderIdentity({ name: 'p'.repeat(32) }, { sub: 'x'.repeat(255) });
    expect(identity).toMatchObject({ uniqueId: `oidc:${'p'.repeat(32)}:${'x'.repeat(255)}` });
    expect('uniqueId' in identity ? identity.uniqueId?.length : 0).toBe(293);
  });

  test.each([
    [{ given_name: 'Ann', family_name: 'Lee', name: 'A. Lee' }, 'Ann', 'Lee'],
    [{ family_name: 'Lee', name: 'A. Lee' }, '', 'Lee'],
    [{ name: ' A. Lee ' }, 'A. Lee', ''],
    [{ given_name: 7, family_name: ['x'], name: null, email: 'ann.lee@x.example' }, 'ann.lee', ''],
    [{ given_name: 'a\u0007b', name: 'Ann' }, 'Ann', ''],
    [{ given_name: `${'x'.repeat(254)}😀` }, `${'x'.repeat(254)}\ufffd`, ''],
  ])('has the names of %j', (claims, firstName, lastName) => {
    expect(readProviderIdentity(CAMPUS, { sub: 's', ...claims })).toMatchObject({ firstName, lastName });
  });

  test('has no groups unless a claim is configured, and an empty list when the provider names none', () => {
    expect(readProviderIdentity(CAMPUS, { sub: 's', groups: ['a'] })).toMatchObject({ groups: null });
    const withClaim = { ...CAMPUS, groups_claim: 'groups' };
    expect(readProviderIdentity(withClaim, { sub: 's' })).toMatchObject({ groups: [] });
    expect(readProviderIdentity(withClaim, { sub: 's', groups: null })).toMatchObject({ groups: [] });
    expect(readProviderIdentity(withClaim, { sub: 's', groups: 'a' })).toMatchObject({ groups: ['a'] });
  });

  test('says nothing about groups that the provider has elsewhere, so that they stay', () => {
    const claims = { sub: 's', _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://x' } } };
    expect(readProviderIdentity({ ...CAMPUS, groups_claim: 'groups' }, claims)).toMatchObject({ groups: null });
  });

  test('takes no claim from the prototype of objects', () => {
    expect(readProviderIdentity({ ...CAMPUS, groups_claim: 'constructor' }, { sub: 's' })).toMatchObject({
      groups: [],
    });
  });
});

describe('claims of two places', () => {
  test('never join the address of one with the verification of the other', () => {
    const verified = { email: 'a@x', email_verified: true };
    expect(mergeClaims({ email: 'b@x' }, verified)).toEqual({ email: 'b@x', email_verified: undefined });
    expect(mergeClaims({ email_verified: true }, { email: 'b@x' })).toEqual({
      email: 'b@x',
      email_verified: undefined,
    });
    expect(mergeClaims({ email: 'b@x', email_verified: false }, verified)).toMatchObject({ email_verified: false });
    expect(mergeClaims({ email: 'a@x' }, verified)).toEqual(verified);
    expect(mergeClaims({ email: 'a@x', email_verified: false }, verified)).toMatchObject({ email_verified: false });
    expect(mergeClaims({ sub: 's', given_name: 'A' }, { ...verified, given_name: 'B', family_name: 'C' })).toEqual({
      ...verified,
      sub: 's',
      given_name: 'A',
      family_name: 'C',
    });
  });
});

describe('sign-ins under way', () => {
  const entry = (to: string) => ({ provider: 'campus', browser: 'b', nonce: 'n', verifier: 'v', to });

  test('are given once, to their browser, within 10 minutes', () => {
    const pending = createPendingSignIns();
    pending.add('s', entry('q'), '192.0.2.1', 0);
    expect(pending.take('s', 'other', 1)).toBe(undefined);
    expect(pending.take('t', 'b', 1)).toBe(undefined);
    expect(pending.take('s', 'b', 599_999)).toEqual(entry('q'));
    expect(pending.take('s', 'b', 599_999)).toBe(undefined);
    pending.add('s', entry('q'), '192.0.2.1', 0);
    expect(pending.take('s', 'b', 600_000)).toBe(undefined);
  });

  test('of one network push out only each other', () => {
    const pending = createPendingSignIns();
    pending.add('other', entry('q'), '2001:db8:1::1', 0);
    for (let index = 0; index < 1500; index += 1) pending.add(`s${index}`, entry('q'), `2001:db8:2::${index}`, index);
    expect(pending.take('other', 'b', 2000)).toEqual(entry('q'));
    expect(pending.take('s499', 'b', 2000)).toBe(undefined);
    expect(pending.take('s500', 'b', 2000)).toEqual(entry('q'));
    expect(pending.take('s1499', 'b', 2000)).toEqual(entry('q'));
  });

  test('are at most 10,000: the oldest one is dropped', () => {
    const pending = createPendingSignIns();
    for (let index = 0; index < 10_001; index += 1) {
      pending.add(`s${index}`, entry('q'), `192.0.${index >> 8}.${index & 255}`, index);
    }
    expect(pending.take('s0', 'b', 10_000)).toBe(undefined);
    expect(pending.take('s1', 'b', 10_000)).toEqual(entry('q'));
  });
});
