import { describe, expect, it } from 'vitest';
import { Routes } from '../../../../electron/engine/network/routes.ts';
import { silentLogger } from '../../../../electron/engine/ports/logger.ts';
import type { BrowserProxy, ProxyResolver } from '../../../../electron/engine/ports/proxy-resolver.ts';
import type { NetworkSettings } from '../../../../shared/contract/network.ts';
import { DEFAULT_NETWORK } from '../../../../shared/model/default-network.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';

/** Routes whose system answers with `answer`, and what it was asked. */
function routesOf(
  settings: Partial<NetworkSettings>,
  { answer = 'PROXY a.example:1', environment = {} }: { answer?: string; environment?: Record<string, string> } = {},
) {
  const asked: { url: string; from: BrowserProxy }[] = [];
  const resolver: ProxyResolver = {
    resolve: async (url, from) => {
      asked.push({ url: url.href, from });
      if (answer === '') throw new Error('no answer');
      return answer;
    },
    reload: async () => {},
  };
  const clock = new ManualClock();
  const warned: string[] = [];
  const logger = { ...silentLogger, warn: (event: string) => warned.push(event) };
  const current = { ...DEFAULT_NETWORK, ...settings };
  const routes = new Routes({ clock, logger, environment, resolver, settings: () => current });
  const to = async (address: string) => {
    const route = await routes.to(new URL(address));
    return route.kind === 'proxy' ? `${route.proxy.host}:${route.proxy.port}` : route.kind;
  };
  return { asked, clock, routes, to, warned };
}

describe('the answer of a PAC script', () => {
  const PAC = { proxyMode: 'pac', pacAddress: 'https://example.org/proxy.pac' } as const;

  it('is asked for with the origin of an address only, because addresses of files are secret', async () => {
    const { asked, to } = routesOf(PAC);
    expect(await to('https://ann:secret@store.example/upload/ticket?signature=x')).toBe('a.example:1');
    expect(asked).toEqual([{ url: 'https://store.example/', from: { kind: 'pac', address: PAC.pacAddress } }]);
  });

  it('counts for a minute, and for each origin by itself', async () => {
    const { asked, clock, to } = routesOf(PAC);
    await to('https://a.example/1');
    await to('https://a.example/2');
    expect(asked).toHaveLength(1);
    await to('https://b.example/');
    expect(asked).toHaveLength(2);
    clock.advance(60_000);
    await to('https://a.example/');
    expect(asked).toHaveLength(3);
  });

  it('is asked for again when the network changed', async () => {
    const { asked, routes, to } = routesOf(PAC);
    await to('https://a.example/');
    routes.reset();
    await to('https://a.example/');
    expect(asked).toHaveLength(2);
  });

  it('names the next proxy for five minutes after the first did not answer', async () => {
    const { clock, routes, to } = routesOf(PAC, { answer: 'PROXY a.example:1; PROXY b.example:2' });
    expect(await to('https://media.example/')).toBe('a.example:1');
    routes.noteSilent('a.example:1');
    expect(await to('https://media.example/')).toBe('b.example:2');
    clock.advance(5 * 60_000);
    expect(await to('https://media.example/')).toBe('a.example:1');
  });

  it('is a direct connection when the system gives none, and the log says so', async () => {
    const { to, warned } = routesOf(PAC, { answer: '' });
    expect(await to('https://media.example/')).toBe('direct');
    expect(warned).toEqual(['network.proxy-not-resolved']);
  });
});

describe('the proxy of a window', () => {
  const environment = { HTTPS_PROXY: 'http://ann:secret@env.example:1', NO_PROXY: 'x.org' };

  it.each<[string, Partial<NetworkSettings>, BrowserProxy]>([
    ['the environment', {}, { kind: 'fixed', proxy: 'http://env.example:1', exceptions: 'x.org' }],
    ['nothing', { proxyMode: 'none' }, { kind: 'direct' }],
    [
      'the settings',
      { proxyMode: 'manual', proxy: 'own.example:2', proxyExceptions: 'y.org' },
      { kind: 'fixed', proxy: 'http://own.example:2', exceptions: 'y.org' },
    ],
    ['settings without a proxy', { proxyMode: 'manual' }, { kind: 'direct' }],
    ['a script', { proxyMode: 'pac', pacAddress: 'https://p.org/' }, { kind: 'pac', address: 'https://p.org/' }],
  ])('is that of the engine when it comes from %s', (_, settings, expected) => {
    expect(routesOf(settings, { environment }).routes.forBrowser()).toEqual(expected);
  });

  it('is that of the system without an environment', () => {
    expect(routesOf({}).routes.forBrowser()).toEqual({ kind: 'system' });
  });
});
