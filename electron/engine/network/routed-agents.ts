import http, { type AgentOptions, type ClientRequest, type ClientRequestArgs } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type SecureContext, type TLSSocket, connect as tlsConnect } from 'node:tls';
import { noteFacts } from './connection-fault.ts';
import { connectToProxy, openTunnel, type ProxyAccess, proxyAuthorization } from './tunnel.ts';

type Callback = (error: Error | null, stream: Duplex) => void;

/** How long a handshake through a proxy may take. A direct one has the time limits of its request. */
const HANDSHAKE_TIMEOUT_MS = 15_000;

/** Encrypted connections, directly or through a proxy. Certificates that are not trusted are always refused. */
export class SecureAgent extends https.Agent {
  readonly #access: ProxyAccess | null;

  constructor(options: AgentOptions, secureContext: SecureContext, access: ProxyAccess | null) {
    super({ ...options, secureContext, rejectUnauthorized: true } as https.AgentOptions);
    this.#access = access;
  }

  get isThroughProxy(): boolean {
    return this.#access !== null;
  }

  override createConnection(options: ClientRequestArgs, callback?: Callback): Duplex | null | undefined {
    const access = this.#access;
    if (access === null) return withIssuer(super.createConnection(options, callback) as TLSSocket);
    openTunnel(access, String(options.host), Number(options.port), (error, tunnel) => {
      if (error !== null || tunnel === undefined) {
        callback?.(error ?? new Error('no tunnel'), undefined as unknown as Duplex);
        return;
      }
      const socket = super.createConnection({ ...options, socket: tunnel } as ClientRequestArgs) as TLSSocket;
      whenSecure(withIssuer(socket), callback);
    });
    return undefined;
  }
}

/** The request gets its connection only after the handshake: until then nothing of it can be sent. */
function whenSecure(socket: TLSSocket, callback: Callback | undefined): void {
  const onError = (error: Error) => callback?.(error, undefined as unknown as Duplex);
  const onTimeout = () => socket.destroy(Object.assign(new Error('timeout'), { code: 'ERR_TLS_HANDSHAKE_TIMEOUT' }));
  socket.setTimeout(HANDSHAKE_TIMEOUT_MS, onTimeout);
  socket.once('error', onError);
  socket.once('secureConnect', () => {
    socket.setTimeout(0);
    socket.off('timeout', onTimeout);
    socket.off('error', onError);
    callback?.(null, socket);
  });
}

/**
 * Notes the issuer of a certificate that the connection is about to be closed for: afterwards the certificate is gone. Node has no
 * event between the two, so the function of this socket that closes it is wrapped.
 */
function withIssuer(socket: TLSSocket): TLSSocket {
  const destroy = socket.destroy.bind(socket);
  socket.destroy = (error?: Error) => {
    if (error !== undefined && error !== null && !socket.destroyed && !socket.authorized) {
      const { issuer } = socket.getPeerCertificate() ?? {};
      const name = [issuer?.CN, issuer?.O].flat().filter((each) => each !== undefined)[0];
      if (name !== undefined) noteFacts(error, { issuer: String(name).slice(0, 200) });
    }
    return destroy(error);
  };
  return socket;
}

/** What a request through an agent has beside its own head. */
interface RequestHead {
  path?: string;
  headers: Record<string, string>;
}

/**
 * Returns the path and the headers for a request with an `Expect` header: Node makes its head before the agent gets the request.
 * The address has no user name and no password.
 */
export function headThrough(agent: http.Agent, url: URL): RequestHead {
  return agent instanceof PlainAgent ? agent.headOf(`${url.origin}${url.pathname}${url.search}`) : { headers: {} };
}

/** Returns whether an agent connects to a proxy: the addresses of its connections are those of the proxy. */
export function isThroughProxy(agent: http.Agent): boolean {
  return (agent instanceof PlainAgent || agent instanceof SecureAgent) && agent.isThroughProxy;
}

/** Connections without encryption, directly or through a proxy, which gets the whole address of each request. */
export class PlainAgent extends http.Agent {
  readonly #access: ProxyAccess | null;

  constructor(options: AgentOptions, access: ProxyAccess | null) {
    super(options);
    this.#access = access;
  }

  get isThroughProxy(): boolean {
    return this.#access !== null;
  }

  /** Returns what is special about a request to an address: its whole address as its path, and the sign-in at the proxy. */
  headOf(address: string): RequestHead {
    if (this.#access === null) return { headers: {} };
    const { credentials } = this.#access;
    return {
      path: address,
      headers: credentials === null ? {} : { 'proxy-authorization': proxyAuthorization(credentials) },
    };
  }

  /** Node calls this for each request before it is sent; the types of Node lack it. */
  addRequest(request: ClientRequest, options: ClientRequestArgs): void {
    const host = request.getHeader('host') ?? `${options.host}:${options.port}`;
    const { path, headers } = this.headOf(`http://${host}${request.path}`);
    // A request whose head is made already names its whole address: see `headThrough`.
    if (path !== undefined && !request.path.startsWith('http:')) {
      request.path = path;
      for (const [name, value] of Object.entries(headers)) request.setHeader(name, value);
    }
    const add = (http.Agent.prototype as unknown as { addRequest: PlainAgent['addRequest'] }).addRequest;
    add.call(this, request, options);
  }

  override createConnection(options: ClientRequestArgs, callback?: Callback): Duplex | null | undefined {
    if (this.#access === null) return super.createConnection(options, callback);
    connectToProxy(this.#access, (error, socket) => callback?.(error, socket as Socket));
    return undefined;
  }
}

/**
 * Connects to a host, directly or through a proxy, and returns the SHA-256 fingerprint of its certificate, which is trusted. Throws
 * the error of the connection.
 */
export function trustedFingerprint(
  { hostname, port }: URL,
  secureContext: SecureContext,
  access: ProxyAccess | null,
): Promise<string> {
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  const target = { host, port: port === '' ? 443 : Number(port) };
  return new Promise((resolve, reject) => {
    const secure = (tunnel: Socket | null) => {
      const isName = !/^[\d.]+$/.test(host) && !host.includes(':');
      const socket = tlsConnect({
        ...target,
        ...(tunnel === null ? {} : { socket: tunnel }),
        ...(isName ? { servername: host } : {}),
        secureContext,
        rejectUnauthorized: true,
        ALPNProtocols: ['http/1.1'],
      });
      socket.setTimeout(HANDSHAKE_TIMEOUT_MS, () => socket.destroy(new Error('timeout')));
      socket.on('error', reject);
      socket.once('secureConnect', () => {
        resolve(socket.getPeerCertificate().fingerprint256);
        socket.destroy();
      });
    };
    if (access === null) secure(null);
    else openTunnel(access, target.host, target.port, (error, tunnel) => (tunnel ? secure(tunnel) : reject(error)));
  });
}
