// Whom the audit names for a request without an access token.
import { expect, test } from 'vitest';
import { auditOf } from '../../../helpers/service/service-audit.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';
import { FormBrowser, PKCE } from '../../../helpers/service/service-sign-in.ts';

const service = await serviceOfFile({ options: ['--operations', '127.0.0.1:0'] });

const authorizePath = () => {
  const query = { response_type: 'code', client_id: service.clientId, redirect_uri: 'http://localhost:4/', state: 'x' };
  return `/api2/oauth/authorize?${new URLSearchParams({ ...query, ...PKCE })}`;
};

test.each([
  ['POST /api2/oauth/login', authorizePath],
  ['POST /account/sign-in', () => '/account'],
])(
  '%s names the user who signs in, not the user whose session this ends in the same browser',
  async (request, path) => {
    // Two windows of one browser, both at the sign-in form.
    const browser = new FormBrowser();
    const page = await browser.open(service.baseUrl + path());
    await browser.submit(page, 'email_address', service.admin);
    const { password } = service.admin;
    await browser.submit(page, 'email_address', { email_address: 'viewer@library.example', password });
    const rows = (await auditOf(service)).filter((row) => row.request === request);
    expect(rows).toMatchObject([
      { action: 'session.create', actor: { email_address: service.admin.email_address } },
      { action: 'session.create', actor: { email_address: 'viewer@library.example' }, also: { 'session.delete': 1 } },
    ]);
  },
);
