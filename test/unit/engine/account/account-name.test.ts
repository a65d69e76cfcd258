import { describe, expect, it, onTestFinished } from 'vitest';
import { readAccountName } from '../../../../electron/engine/account/account-name.ts';
import { createTransport } from '../../../../electron/engine/api/transport.ts';
import { silentLogger } from '../../../../electron/engine/ports/logger.ts';
import { sendJson, startSmallServer } from '../../../helpers/small-server.ts';
import { clientOf } from '../api/site-client.ts';

/** Answers of tokeninfo and of the user, each a status and a body. */
async function nameAt(info: [number, unknown], user: [number, unknown]): Promise<string | null> {
  const { url } = await startSmallServer((request, response) => {
    sendJson(response, ...(request.url === '/api2/oauth/tokeninfo' ? info : user));
  });
  const transport = createTransport();
  onTestFinished(() => transport.close());
  const context = { baseUrl: url, clientId: 'desktop', transport, userAgent: 'Mediadesk/test' };
  return readAccountName(context, { client: clientOf(url), accessToken: 'a', logger: silentLogger });
}

const info: [number, unknown] = [200, { audience: 'desktop', user_id: '7', scope: '', expires_in: 60 }];

describe('the name of an account', () => {
  it.each([
    ['the display name', { id: '7', display_name: 'Ada Admin', email_address: 'ada@example.org' }, 'Ada Admin'],
    [
      'the mail address without one',
      { id: '7', display_name: '', email_address: 'ada@example.org' },
      'ada@example.org',
    ],
    ['the number without either', { id: '7' }, 'User 7'],
  ])('is %s', async (_, user, name) => {
    expect(await nameAt(info, [200, user])).toBe(name);
  });

  it.each([401, 403, 404, 500])('is the number where looking at users is answered with %i', async (status) => {
    expect(await nameAt(info, [status, { message: 'No' }])).toBe('User 7');
  });

  it.each([401, 404, 500, 200])('is not known where tokeninfo is answered with %i', async (status) => {
    expect(await nameAt([status, {}], [200, {}])).toBeNull();
  });
});
