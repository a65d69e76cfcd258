// A proxy between the real engine and the real service that breaks connections, requests and replies by rule.
import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { type BreakTools, breakRequest, type Forwarded, type Reply, type RequestBreak } from './wire-breaks.ts';

/** What happens to a connection before its first request. */
type ConnectionBreak = 'reset' | 'close' | 'silence';

interface RequestRule {
  method?: string;
  /** Matched against the path without the query. */
  path: RegExp;
  /** The number of the first match that the rule affects, from 1; 1 by default. */
  nth?: number;
  /** The number of matches that it affects from there; 1 by default. */
  times?: number;
  break: RequestBreak;
}

/** One request that the proxy received. */
interface SeenExchange {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  /** Bytes of the body that the proxy read from the client. */
  bodyBytes: number;
}

export interface WireProxy {
  /** The library's address for the engine. */
  readonly baseUrl: string;
  readonly seen: SeenExchange[];
  /** Adds a rule; the first matching rule applies. */
  break(rule: RequestRule): void;
  /** Closes the next connections, as many as given, before a request is read. */
  breakConnections(kind: ConnectionBreak, times: number): void;
  /** How many of those connections are still to come. */
  readonly connectionsToBreak: number;
  /** Removes all rules and records, and closes every connection. */
  reset(): void;
  /** Uses another certificate from now on, and closes every connection. */
  present(identity: { key: string; cert: string }): void;
  /** Stops listening until `listen`. Closes every connection. */
  refuse(): Promise<void>;
  listen(): Promise<void>;
  close(): Promise<void>;
}

export interface WireProxyOptions {
  /** With a certificate the proxy uses TLS towards the engine. */
  tls?: { key: string; cert: string };
  /** The name of this server in its addresses; 127.0.0.1 unless given. Only a forward proxy finds another one. */
  host?: string;
}

/** Starts a proxy in front of the service at `target` (plain http on loopback). */
export async function startWireProxy(target: string, options: WireProxyOptions = {}): Promise<WireProxy> {
  const upstream = new URL(target);
  const agent = new http.Agent({ keepAlive: false });
  const sockets = new Set<Socket>();
  const seen: SeenExchange[] = [];
  let rules: (RequestRule & { matches: number })[] = [];
  let broken: { kind: ConnectionBreak; left: number } = { kind: 'reset', left: 0 };
  let port = 0;
  const scheme = options.tls ? 'https' : 'http';
  const ownOrigin = () => `${scheme}://${options.host ?? '127.0.0.1'}:${port}`;

  const settings = { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 60_000 };
  const server = options.tls ? https.createServer({ ...settings, ...options.tls }) : http.createServer(settings);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    if (broken.left <= 0) return;
    broken.left -= 1;
    if (broken.kind === 'reset') socket.resetAndDestroy();
    else if (broken.kind === 'close') socket.destroy();
    // What arrives on it from now on is not read.
    else socket.pause();
  });
  server.on('tlsClientError', () => {});
  server.on('clientError', (_error, socket) => socket.destroy());

  const wireOf = (socket: Socket): Socket =>
    [...sockets].find(({ remotePort }) => remotePort === socket.remotePort) ?? socket;

  const handle = (request: IncomingMessage, response: ServerResponse, asksFirst: boolean) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    const exchange = { method: request.method ?? '', path, headers: request.headers, bodyBytes: 0 };
    seen.push(exchange);
    request.on('error', () => {});
    response.on('error', () => {});
    request.on('data', (chunk: Buffer) => {
      exchange.bodyBytes += chunk.length;
    });
    request.pause();
    const rule = pick(exchange.method, path);
    const tools: BreakTools = {
      request,
      response,
      asksFirst,
      wireOf,
      forward: ({ withGoAhead } = { withGoAhead: true }) => forward(request, response, asksFirst && withGoAhead),
    };
    if (rule === undefined) tools.forward().replyAsItComes();
    else breakRequest(rule.break, tools);
  };
  server.on('request', (request, response) => handle(request, response, false));
  server.on('checkContinue', (request, response) => handle(request, response, true));

  function pick(method: string, path: string): RequestRule | undefined {
    let chosen: RequestRule | undefined;
    for (const rule of rules) {
      if ((rule.method !== undefined && rule.method !== method) || !rule.path.test(path)) continue;
      rule.matches += 1;
      const nth = rule.nth ?? 1;
      if (rule.matches >= nth && rule.matches < nth + (rule.times ?? 1)) chosen ??= rule;
    }
    return chosen;
  }

  /** The same request to the service. The caller forwards the body. */
  function forward(request: IncomingMessage, response: ServerResponse, asksFirst: boolean): Forwarded {
    const { expect: _, ...headers } = request.headers;
    const onward = http.request({
      host: upstream.hostname,
      port: upstream.port,
      agent,
      method: request.method,
      path: request.url,
      headers: { ...headers, host: upstream.host },
    });
    onward.on('error', () => request.socket.destroy());
    request.once('close', () => {
      if (!request.complete) onward.destroy();
    });
    if (asksFirst) response.writeContinue();
    const reply = () =>
      new Promise<Reply>((resolve) => {
        // The service can end in the middle of its answer, or the proxy be stopped.
        onward.once('response', (answer) => readReply(answer).then(resolve, () => request.socket.destroy()));
      });
    return {
      onward,
      reply,
      replyAsItComes() {
        const coming = reply();
        request.pipe(onward);
        void coming.then(({ status, headers: given, body }) => {
          if (response.destroyed || response.headersSent) return;
          response.writeHead(status, { ...given, 'content-length': body.length });
          response.end(body);
        });
      },
    };
  }

  async function readReply(answer: IncomingMessage): Promise<Reply> {
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('latin1').replaceAll(upstream.origin, ownOrigin());
    const { 'content-length': _length, 'transfer-encoding': _encoding, connection: _kept, ...headers } = answer.headers;
    return { status: answer.statusCode ?? 0, headers, body: Buffer.from(text, 'latin1') };
  }

  const listen = async () => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  };
  const hangUp = () => {
    for (const socket of sockets) socket.destroy();
  };
  const stop = async () => {
    hangUp();
    if (!server.listening) return;
    await new Promise((resolve) => server.close(resolve));
  };
  await listen();
  return {
    get baseUrl() {
      return ownOrigin();
    },
    seen,
    break: (rule) => void rules.push({ ...rule, matches: 0 }),
    breakConnections(kind, times) {
      broken = { kind, left: times };
    },
    get connectionsToBreak() {
      return broken.left;
    },
    reset() {
      rules = [];
      broken.left = 0;
      seen.length = 0;
      hangUp();
    },
    present(identity) {
      if (server instanceof https.Server) server.setSecureContext(identity);
      hangUp();
    },
    refuse: stop,
    listen,
    close: stop,
  };
}

/** A reply of the service, with its addresses replaced by the proxy's. */
