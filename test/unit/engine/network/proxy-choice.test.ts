import { describe, expect, it } from 'vitest';
import {
  chooseRoute,
  environmentProxy,
  environmentRoute,
  type ProxyEnvironment,
  type Route,
  readPacAnswer,
} from '../../../../electron/engine/network/proxy-choice.ts';
import { bypassRules } from '../../../../electron/main/bypass-rules.ts';
import { DEFAULT_NETWORK } from '../../../../shared/model/default-network.ts';
import { readProxyAddress } from '../../../../shared/model/proxy-address.ts';

const SITE = 'https://media.example.org/';

/** Returns the name of the proxy of a route. */
function nameOf(route: Route | { kind: 'ask' }): string {
  if (route.kind !== 'proxy') return route.kind;
  const { host, port, isEncrypted } = route.proxy;
  return `${isEncrypted ? 'https' : 'http'}://${host}:${port}`;
}

const byEnvironment = (address: string, environment: ProxyEnvironment) =>
  nameOf(environmentRoute(new URL(address), environment));

describe('the proxy of the environment', () => {
  it('is that of the protocol, or of ALL_PROXY, with its user and password', () => {
    const HTTPS_PROXY = 'http://ann:se%40cret@proxy.example:3128';
    const route = environmentRoute(new URL(SITE), { HTTPS_PROXY });
    expect(route).toMatchObject({
      proxy: { host: 'proxy.example', port: 3128, credentials: { user: 'ann', password: 'se@cret' } },
    });
    expect(byEnvironment(SITE, { https_proxy: 'proxy.example:3128', HTTPS_PROXY: 'http://other' })).toBe(
      'http://proxy.example:3128',
    );
    expect(byEnvironment(SITE, { HTTPS_PROXY: 'https://proxy.example' })).toBe('https://proxy.example:443');
    expect(byEnvironment(SITE, { ALL_PROXY: 'http://proxy.example' })).toBe('http://proxy.example:80');
    expect(byEnvironment('http://media.example.org/', { HTTP_PROXY: 'proxy.example:8080' })).toBe(
      'http://proxy.example:8080',
    );
    expect(byEnvironment(SITE, { HTTP_PROXY: 'http://proxy.example' })).toBe('direct');
  });

  it('is reported when Mediadesk can’t use it', () => {
    expect(byEnvironment(SITE, { ALL_PROXY: 'socks5://proxy.example:1080' })).toBe('unsupported');
    expect(byEnvironment(SITE, { HTTPS_PROXY: 'http://' })).toBe('unsupported');
  });

  it('is shown without its user and password, whatever the exceptions are', () => {
    const HTTPS_PROXY = 'http://ann:secret@proxy.example:3128';
    expect(environmentProxy({ HTTPS_PROXY, NO_PROXY: '*' })).toBe('proxy.example:3128');
    expect(environmentProxy({})).toBeNull();
  });

  it.each(['*', 'example.org', '.example.org', '*.example.org', 'x, media.EXAMPLE.org', 'x media.example.org:443'])(
    'does not apply to hosts in NO_PROXY: %s',
    (NO_PROXY) => {
      expect(byEnvironment(SITE, { HTTPS_PROXY: 'http://proxy.example', NO_PROXY })).toBe('direct');
    },
  );

  it.each(['ample.org', 'media.example.org:8443', 'example.org.evil', ''])('applies to others: %s', (NO_PROXY) => {
    expect(byEnvironment(SITE, { HTTPS_PROXY: 'http://proxy.example', NO_PROXY })).toBe('http://proxy.example:80');
  });

  it.each(['2001:db8::1', '[2001:db8::1]', '[2001:db8::1]:443'])('knows exceptions of IPv6: %s', (NO_PROXY) => {
    expect(byEnvironment('https://[2001:db8::1]/', { HTTPS_PROXY: 'http://proxy.example', NO_PROXY })).toBe('direct');
  });
});

describe('the route to an address', () => {
  const environment = { HTTPS_PROXY: 'http://env.example:1' };
  const manual = { ...DEFAULT_NETWORK, proxyMode: 'manual', proxy: 'own.example:2', proxyExceptions: 'x.org' } as const;
  const route = (settings: Partial<typeof DEFAULT_NETWORK>, given: ProxyEnvironment, canAsk: boolean, address = SITE) =>
    nameOf(chooseRoute(new URL(address), { ...DEFAULT_NETWORK, ...settings }, given, canAsk));

  it('follows the mode of the settings', () => {
    expect(route({}, environment, true)).toBe('http://env.example:1');
    expect(route({}, {}, true)).toBe('ask');
    expect(route({}, {}, false)).toBe('direct');
    expect(route({ proxyMode: 'none' }, environment, true)).toBe('direct');
    expect(route(manual, environment, true)).toBe('http://own.example:2');
    expect(route(manual, environment, true, 'https://a.x.org/')).toBe('direct');
    expect(route({ proxyMode: 'pac' }, environment, true)).toBe('ask');
    // The command line evaluates no script, and uses the environment.
    expect(route({ proxyMode: 'pac' }, environment, false)).toBe('http://env.example:1');
  });

  it.each([
    'https://localhost/',
    'https://a.localhost/',
    'https://127.0.0.1:8443/',
    'https://127.8.9.1/',
    'https://[::1]/',
  ])('is direct to this computer in every mode: %s', (address) => {
    for (const settings of [{}, manual, { proxyMode: 'pac' } as const]) {
      expect(route(settings, environment, true, address)).toBe('direct');
    }
  });
});

describe('the answer of a PAC script', () => {
  const all = () => true;

  it.each([
    ['DIRECT', 'direct'],
    ['PROXY a.example:3128; DIRECT', 'http://a.example:3128'],
    ['  proxy a.example ;', 'http://a.example:80'],
    ['HTTPS a.example', 'https://a.example:443'],
    ['SOCKS5 a.example:1080; PROXY b.example:1', 'http://b.example:1'],
    ['SOCKS a.example:1080', 'unsupported'],
    ['PROXY a.example:99999; PROXY b.example:1', 'http://b.example:1'],
    ['', 'direct'],
    ['7', 'direct'],
    ['PROXY', 'direct'],
  ])('%j means %s', (answer, expected) => {
    expect(nameOf(readPacAnswer(answer, all))).toBe(expected);
  });

  it('names the next proxy when the first did not answer, and the first again when none did', () => {
    const answer = 'PROXY a.example:1; PROXY b.example:2';
    expect(nameOf(readPacAnswer(answer, ({ host }) => host !== 'a.example'))).toBe('http://b.example:2');
    expect(nameOf(readPacAnswer(`${answer}; DIRECT`, () => false))).toBe('direct');
    expect(nameOf(readPacAnswer(answer, () => false))).toBe('http://a.example:1');
  });
});

describe('the address of a proxy', () => {
  it.each([
    ['proxy.example.org:3128', { host: 'proxy.example.org', port: 3128 }],
    [' http://Proxy.example.org:3128/ ', { host: 'proxy.example.org', port: 3128 }],
    ['[2001:db8::1]:3128', { host: '[2001:db8::1]', port: 3128 }],
    ['proxy.example.org', null],
    ['proxy.example.org:0', null],
    ['proxy.example.org:65536', null],
    ['ann:secret@proxy.example.org:3128', null],
    ['socks5://proxy.example.org:1080', null],
    ['proxy example:3128', null],
    [':3128', null],
    ['', null],
  ])('is read: %j', (text, expected) => {
    expect(readProxyAddress(text)).toEqual(expected);
  });
});

it('exceptions have the same meaning in Chromium', () => {
  expect(bypassRules('example.org, *.a.org;.b.org 10.1.2.3')).toBe(
    'example.org,.example.org,a.org,.a.org,b.org,.b.org,10.1.2.3,.10.1.2.3',
  );
  expect(bypassRules('*')).toBe('*');
});
