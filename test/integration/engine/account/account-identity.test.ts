import { describe, expect, it, onTestFinished } from 'vitest';
import { readIdentity } from '../../../../electron/engine/account/account-identity.ts';
import { createTransport } from '../../../../electron/engine/api/transport.ts';
import { silentLogger } from '../../../../electron/engine/ports/logger.ts';
import { nodeClock } from '../../../../electron/engine/ports/system/node-clock.ts';
import { directConnections } from '../../../helpers/engine/direct-network.ts';
import { sendJson, startSmallServer } from '../../../helpers/wire/small-server.ts';

/** Returns the identity for these answers of tokeninfo and of the user resource, each a status and a body. */
async function identityAt(info: [number, unknown], user: [number, unknown]) {
  const { url } = await startSmallServer((request, response) => {
    sendJson(response, ...(request.url === '/api2/oauth/tokeninfo' ? info : user));
  });
  const transport = createTransport(directConnections());
  onTestFinished(() => transport.close());
  const context = { baseUrl: url, clientId: 'desktop', transport, userAgent: 'Mediadesk/test' };
  return readIdentity(context, {
    accessToken: 'a',
    clock: nodeClock,
    logger: silentLogger,
    connections: directConnections(),
  });
}

const info: [number, unknown] = [200, { audience: 'desktop', user_id: '7', scope: '', expires_in: 60 }];

describe('the identity of an account', () => {
  it.each([
    ['the display name', { id: '7', display_name: 'Ada Admin', email_address: 'ada@example.org' }, 'Ada Admin'],
    [
      'the e-mail address when there is no display name',
      { id: '7', display_name: '', email_address: 'ada@example.org' },
      'ada@example.org',
    ],
    ['the user number when there is neither', { id: '7' }, 'Unnamed account 7'],
  ])('is %s', async (_, user, name) => {
    expect(await identityAt(info, [200, user])).toEqual({ userId: '7', name });
  });

  it.each([401, 403, 404, 500])(
    'is the user number when the request for the user is answered with %i',
    async (status) => {
      expect(await identityAt(info, [status, { message: 'No' }])).toEqual({ userId: '7', name: 'Unnamed account 7' });
    },
  );

  it.each([401, 404, 200])('is unknown when tokeninfo is answered with %i', async (status) => {
    expect(await identityAt([status, {}], [200, {}])).toEqual({ userId: null, name: null });
  });

  it.each([500, 503])(
    'can’t be determined, which is an error, when tokeninfo is always answered with %i',
    async (status) => {
      await expect(identityAt([status, {}], [200, {}])).rejects.toMatchObject({ code: 'api.server-error' });
    },
  );
});
