import { X509Certificate } from 'node:crypto';
import { type AuthInfo, app, type WebContents } from 'electron';
import type { BrowserNetwork } from '../engine/ports/browser-opener.ts';
import { proxyConfigOf } from './ports/proxy-settings.ts';

/** Results of a certificate check: trusted, and that of Chromium. */
const TRUSTED = 0;
const AS_CHROMIUM = -3;
/** The issuer is unknown to Chromium. Other faults, such as an expired certificate, are never overruled. */
const UNKNOWN_ISSUER = -202;

/**
 * Makes a sign-in window reach the library at `url` as the engine does: by the same proxy, with its stored user name and password,
 * and with the certificate that the engine trusts. Another certificate, and that of another host, is judged by Chromium alone.
 * Resolves when the window may load the page.
 */
export async function joinNetwork(contents: WebContents, url: string, network: BrowserNetwork): Promise<void> {
  const { session } = contents;
  const site = new URL(url);
  session.setCertificateVerifyProc(({ hostname, certificate, errorCode }, answer) => {
    if (errorCode !== UNKNOWN_ISSUER || site.protocol !== 'https:' || hostname !== bareHost(site)) {
      answer(AS_CHROMIUM);
      return;
    }
    network
      .trusts(site, new X509Certificate(certificate.data).fingerprint256)
      .then((isTrusted) => answer(isTrusted ? TRUSTED : AS_CHROMIUM))
      .catch(() => answer(AS_CHROMIUM));
  });
  answerProxies(contents, network);
  await session.setProxy(proxyConfigOf(network.proxy()));
}

/** Signs in at proxies. A proxy that asks again refused the password, and gets none. */
function answerProxies(contents: WebContents, network: BrowserNetwork): void {
  const asked = new Set<string>();
  const onLogin = (
    event: Electron.Event,
    asking: WebContents | null,
    _details: unknown,
    { isProxy, host, port }: AuthInfo,
    answer: (user?: string, password?: string) => void,
  ) => {
    if (asking !== contents || !isProxy) return;
    event.preventDefault();
    const name = `${host}:${port}`;
    const credentials = asked.has(name) ? Promise.resolve(null) : network.credentialsFor(host, port);
    asked.add(name);
    credentials.then((found) => (found === null ? answer() : answer(found.user, found.password))).catch(() => answer());
  };
  app.on('login', onLogin);
  contents.once('destroyed', () => app.off('login', onLogin));
}

/** Returns the host of an address as Chromium names it: an IPv6 address without brackets. */
function bareHost({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
