import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { connect as netConnect, type Socket } from 'node:net';
import { type SecureContext, connect as tlsConnect } from 'node:tls';
import { ProxyFault } from './connection-fault.ts';
import { type Credentials, nameOfProxy, type ProxyServer } from './proxy-choice.ts';

/** The time limit for the connection to a proxy, and for its answer. */
const CONNECT_TIMEOUT_MS = 15_000;
const ANSWER_TIMEOUT_MS = 30_000;

export type SocketCallback = (error: Error | null, socket?: Socket) => void;

/** Everything that a connection to a proxy needs. */
export interface ProxyAccess {
  proxy: ProxyServer;
  credentials: Credentials | null;
  /** Returns the trusted authorities, for a proxy whose own connection is encrypted. */
  secureContext(): SecureContext;
  /** Called with each fault of the proxy. */
  onFault(fault: ProxyFault): void;
}

/** Returns the header value with which a user signs in at a proxy. */
export function proxyAuthorization({ user, password }: Credentials): string {
  return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`;
}

/**
 * Opens a tunnel to a host through a proxy (CONNECT). Calls back once, with the open connection or a `ProxyFault`.
 */
export function openTunnel(access: ProxyAccess, host: string, port: number, callback: SocketCallback): void {
  const { proxy, credentials } = access;
  const name = nameOfProxy(proxy);
  const target = `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
  let isSettled = false;
  const settle: SocketCallback = (error, socket) => {
    if (isSettled) return;
    isSettled = true;
    request.setTimeout(0);
    if (error instanceof ProxyFault) access.onFault(error);
    callback(error, socket);
    if (error) request.destroy();
  };
  const send = proxy.isEncrypted ? https.request : http.request;
  const request = send({
    host: unbracketed(proxy.host),
    port: proxy.port,
    method: 'CONNECT',
    path: target,
    agent: false,
    headers: {
      host: target,
      ...(credentials === null ? {} : { 'proxy-authorization': proxyAuthorization(credentials) }),
    },
    ...(proxy.isEncrypted ? { secureContext: access.secureContext(), rejectUnauthorized: true } : {}),
    timeout: CONNECT_TIMEOUT_MS,
  });
  request.once('connect', (response: IncomingMessage, socket: Socket, head: Buffer) => {
    const fault = faultOfAnswer(response, name, target, credentials !== null);
    if (fault !== null) {
      socket.destroy();
      settle(fault);
      return;
    }
    socket.setTimeout(0);
    if (head.length > 0) socket.unshift(head);
    settle(null, socket);
  });
  request.once('socket', (socket) => socket.once('connect', () => socket.setTimeout(ANSWER_TIMEOUT_MS)));
  request.once('timeout', () => settle(unreachable(name, 'ETIMEDOUT')));
  // The listener stays: an error after the end of the tunnel must not end the program.
  request.on('error', (error: NodeJS.ErrnoException) => settle(unreachable(name, error.code ?? error.name)));
  request.end();
}

/** Connects to a proxy for requests without encryption, which name their whole address. Calls back once. */
export function connectToProxy({ proxy, secureContext, onFault }: ProxyAccess, callback: SocketCallback): void {
  const name = nameOfProxy(proxy);
  const place = { host: unbracketed(proxy.host), port: proxy.port };
  const socket = proxy.isEncrypted
    ? tlsConnect({
        ...place,
        servername: unbracketed(proxy.host),
        secureContext: secureContext(),
        rejectUnauthorized: true,
      })
    : netConnect(place);
  const onError = (error: NodeJS.ErrnoException) => {
    socket.destroy();
    const fault = unreachable(name, error.code ?? error.name);
    onFault(fault);
    callback(fault);
  };
  const onTimeout = () => onError(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' }));
  socket.setTimeout(CONNECT_TIMEOUT_MS);
  socket.once('error', onError);
  socket.once('timeout', onTimeout);
  socket.once(proxy.isEncrypted ? 'secureConnect' : 'connect', () => {
    socket.setTimeout(0);
    socket.off('error', onError);
    socket.off('timeout', onTimeout);
    callback(null, socket);
  });
}

/** Returns what an answer to CONNECT means; null: the tunnel is open. */
function faultOfAnswer(
  { statusCode = 0, headers }: IncomingMessage,
  proxy: string,
  host: string,
  signedIn: boolean,
): ProxyFault | null {
  if (statusCode >= 200 && statusCode < 300) return null;
  if (statusCode === 407) return signInFault(headers['proxy-authenticate'], proxy, signedIn);
  const isBehind = statusCode === 500 || statusCode === 502 || statusCode === 503 || statusCode === 504;
  return new ProxyFault(isBehind ? 'PROXY_NO_ANSWER_BEHIND' : 'PROXY_REFUSED', { proxy, host, status: statusCode });
}

/** Returns the fault of an answer with status 407. `offered`: its Proxy-Authenticate header. */
export function signInFault(offered: string | string[] | undefined, proxy: string, signedIn: boolean): ProxyFault {
  const schemes = [offered ?? []].flat().join(', ');
  const knowsNone = schemes !== '' && !/(^|[\s,])basic\b/i.test(schemes);
  return new ProxyFault('PROXY_SIGN_IN', {
    proxy,
    status: 407,
    ...(knowsNone ? { schemes: schemes.slice(0, 100) } : {}),
    ...(signedIn ? { wasRefused: true } : {}),
  });
}

function unreachable(proxy: string, reason: string): ProxyFault {
  return new ProxyFault('PROXY_UNREACHABLE', { proxy, reason });
}

function unbracketed(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host;
}
