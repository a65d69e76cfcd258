import { expect, it } from 'vitest';
import { NetworkConnections } from '../../../../electron/engine/network/connections.ts';
import { Routes } from '../../../../electron/engine/network/routes.ts';
import { Trust } from '../../../../electron/engine/network/trust.ts';
import { signInFault } from '../../../../electron/engine/network/tunnel.ts';
import { silentLogger } from '../../../../electron/engine/ports/logger.ts';
import { DEFAULT_NETWORK } from '../../../../shared/model/default-network.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';

it('keeps a password that a proxy refused from requests and from the sign-in window, for ten minutes', async () => {
  const clock = new ManualClock();
  const settings = { ...DEFAULT_NETWORK, proxyMode: 'manual', proxy: 'proxy.example:1' } as const;
  const routes = new Routes({ clock, logger: silentLogger, environment: {}, resolver: null, settings: () => settings });
  const trust = new Trust(
    () => ({ texts: [], source: null }),
    () => [],
  );
  const password = { user: 'ann', password: 'wrong' };
  const connections = new NetworkConnections({ clock, routes, trust, credentialsFor: async () => password });
  const url = new URL('https://media.example/');
  const proxy = { host: 'proxy.example', port: 1, credentials: null };
  expect(await connections.credentialsAt(proxy)).toEqual(password);
  const access = await connections.accessTo(url);
  access?.onFault(signInFault('Basic', 'proxy.example:1', true));
  await expect(connections.accessTo(url)).rejects.toMatchObject({ code: 'PROXY_SIGN_IN', facts: { wasRefused: true } });
  expect(await connections.credentialsAt(proxy)).toBeNull();
  clock.advance(10 * 60_000);
  expect(await connections.credentialsAt(proxy)).toEqual(password);
});
