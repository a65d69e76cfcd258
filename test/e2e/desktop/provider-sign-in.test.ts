// Signing in to a library with a provider of OpenID Connect, in the window of the app: from the library's page to the provider and back.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings } from '../../helpers/desktop/axe.ts';
import { type DesktopApp, launchApp } from '../../helpers/desktop/desktop-app.ts';
import { call, openSignIn } from '../../helpers/desktop/desktop-sign-in.ts';
import { type OidcLibrary, providerSettings, startOidcLibrary } from '../../helpers/service/oidc-library.ts';
import { type OidcPeer, startOidcPeer } from '../../helpers/service/oidc-peer.ts';

let peer: OidcPeer;
let library: OidcLibrary;
let desktop: DesktopApp;

beforeAll(async () => {
  peer = await startOidcPeer();
  library = await startOidcLibrary([providerSettings('campus', peer.issuer, { create_users: true })], peer.secret);
  peer.serve([library.callback('campus')]);
  peer.users.set('ann', { email: 'ann@inst.example', email_verified: true, given_name: 'Ann', family_name: 'Lee' });
  desktop = await launchApp();
});
afterAll(async () => {
  await desktop?.close();
  await library?.stop();
  await peer?.close();
});

describe('the sign-in window', () => {
  it('leads to the provider and back, and signs the user of the provider in', async () => {
    const { signIn: page, reply } = await openSignIn(desktop, library.service);
    const link = page.getByRole('link', { name: 'Sign in with University campus' });
    await link.waitFor();
    expect(await axeFindings(page, 'all')).toEqual([]);
    await link.press('Enter');
    await page.getByLabel('User').fill('ann');
    expect(new URL(page.url()).origin).toBe(peer.issuer);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Signed in as Ann Lee (ann@inst.example)').waitFor();
    expect(new URL(page.url()).origin).toBe(library.service.baseUrl);
    const closed = page.waitForEvent('close');
    await page.locator('[name=decision][value=approve]').click({ noWaitAfter: true });
    await closed;
    const result = await reply;
    expect(result).toMatchObject({ ok: true, value: { baseUrl: library.service.baseUrl, state: 'signed-in' } });
    if (result.ok) await call(desktop.window, 'sites.signOut', { siteId: result.value.id });
  });

  it('shows a refusal of the provider, and leads back to the page on which a password works', async () => {
    const { signIn: page, reply } = await openSignIn(desktop, library.service);
    await page.getByRole('link', { name: 'Sign in with University campus' }).click();
    await page.getByLabel('User').fill('deny');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('University campus didn’t sign you in.').waitFor();
    expect(await axeFindings(page, 'all')).toEqual([]);
    await page.getByRole('link', { name: 'Back to the sign-in page' }).click();
    await page.fill('[name=email_address]', library.service.admin.email_address);
    await page.fill('[name=password]', library.service.admin.password);
    await page.press('[name=password]', 'Enter');
    const closed = page.waitForEvent('close');
    await page.locator('[name=decision][value=approve]').click({ noWaitAfter: true });
    await closed;
    expect(await reply).toMatchObject({ ok: true });
  });
});
