import { type ProxyConfig, session } from 'electron';
import type { BrowserProxy, ProxyResolver } from '../../engine/ports/proxy-resolver.ts';
import { bypassRules } from '../bypass-rules.ts';

/** Returns the configuration of a session for a proxy. Chromium reaches this computer itself always directly. */
export function proxyConfigOf(proxy: BrowserProxy): ProxyConfig {
  switch (proxy.kind) {
    case 'system':
      return { mode: 'system' };
    case 'direct':
      return { mode: 'direct' };
    case 'fixed':
      return { mode: 'fixed_servers', proxyRules: proxy.proxy, proxyBypassRules: bypassRules(proxy.exceptions) };
    case 'pac':
      return { mode: 'pac_script', pacScript: proxy.address };
  }
}

/** Creates the resolver of this desktop. Its session loads no page, and keeps nothing on disk. Call after the app is ready. */
export function createProxyResolver(): ProxyResolver {
  const own = session.fromPartition('proxy-resolver');
  let configured = '';
  let last: Promise<unknown> = Promise.resolve();
  /** One after the other: a session has one configuration at a time. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work, work);
    last = result.catch(() => undefined);
    return result;
  };
  return {
    resolve: (url, from) =>
      inTurn(async () => {
        const config = proxyConfigOf(from);
        const text = JSON.stringify(config);
        if (text !== configured) await own.setProxy(config);
        configured = text;
        return own.resolveProxy(url.href);
      }),
    reload: () => inTurn(() => own.forceReloadProxyConfig()),
  };
}
