import type { ErrorCode } from '../../../shared/contract/errors/error-catalog.ts';
import type { FaultFacts, ProxyFaultCode } from '../network/connection-fault.ts';
import { type TlsFault, tlsFault } from './network-codes.ts';

/**
 * Returns a sentence about a failed connection with TLS; null for a fault without one. `host`: the server, where it isn't the
 * library itself. `issuer`: who issued the certificate.
 */
export function messageOfTls(code: string, host: string | null, issuer: string | undefined): string | null {
  const fault = tlsFault(code);
  if (fault === null) return null;
  const [server, certificate] =
    host === null ? ['the library', 'The library’s certificate'] : [host, `The certificate of ${host}`];
  return TLS_MESSAGES[fault]({ server, certificate, issuer: issuer === undefined ? '' : ` (${issuer})` });
}

interface TlsWords {
  server: string;
  certificate: string;
  issuer: string;
}

const TLS_MESSAGES: Readonly<Record<TlsFault, (words: TlsWords) => string>> = {
  'no-encryption': ({ server }) => `Mediadesk couldn’t make an encrypted connection to ${server}.`,
  'unknown-issuer': ({ certificate, issuer }) =>
    `${certificate} is from an authority that Mediadesk doesn’t know${issuer}, so it didn’t connect.`,
  expired: ({ certificate }) => `${certificate} has expired, so Mediadesk didn’t connect.`,
  'not-yet-valid': ({ certificate }) => `${certificate} isn’t valid yet, so Mediadesk didn’t connect.`,
  'other-name': ({ certificate }) => `${certificate} is for another address, so Mediadesk didn’t connect.`,
};

/** Returns the error of a fault of a proxy, with a sentence that names the proxy. */
export function proxyError(code: string, facts: FaultFacts): { code: ErrorCode; message: string } {
  return PROXY_ERRORS[code as ProxyFaultCode](facts.proxy ?? '', facts);
}

const PROXY_ERRORS: Readonly<
  Record<ProxyFaultCode, (proxy: string, facts: FaultFacts) => { code: ErrorCode; message: string }>
> = {
  PROXY_UNREACHABLE: (proxy) => ({
    code: 'network.proxy-unreachable',
    message: `Mediadesk can’t reach the proxy ${proxy}.`,
  }),
  PROXY_SIGN_IN: (proxy, { schemes, wasRefused }) => ({
    code: 'network.proxy-sign-in',
    message:
      schemes !== undefined
        ? `The proxy ${proxy} only accepts kinds of sign-in that Mediadesk doesn’t support (${schemes}).`
        : wasRefused
          ? `The proxy ${proxy} refused the user name and password.`
          : `The proxy ${proxy} asks for a user name and password.`,
  }),
  PROXY_REFUSED: (proxy, { host, status }) => ({
    code: 'network.proxy-refused',
    message: `The proxy ${proxy} refused to connect to ${host ?? 'the library'} (status ${status}).`,
  }),
  PROXY_NO_ANSWER_BEHIND: (proxy, { host, status }) => ({
    code: 'network.unreachable',
    message: `The proxy ${proxy} can’t reach ${host ?? 'the library'} (status ${status}).`,
  }),
  PROXY_UNSUPPORTED: (proxy) => ({
    code: 'network.proxy-unsupported',
    message: `This computer is set to use ${proxy}, a kind of proxy that Mediadesk can’t use.`,
  }),
};
