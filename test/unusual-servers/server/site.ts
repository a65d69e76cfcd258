import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type Clock, sleep } from '../../../electron/engine/ports/clock.ts';
import { answer, placeFields } from './answer.ts';
import type { Behavior, World } from './behavior.ts';
import { Library, USUAL } from './library.ts';
import type { ExchangeReport, SiteReport } from './report.ts';
import { routeOf } from './routes.ts';
import type { Host, Reply, Request, RequestHead } from './wire.ts';

const HOSTS: readonly Host[] = ['site', 'store', 'foreign'];
const PIECE_BYTES = 16 * 1024;
const READ_PAUSE_MS = 400;

/** One unusual library with its store and a foreign host, each on a separate port. */
export class UnusualSite {
  readonly #behavior: Behavior;
  readonly #world: World;
  readonly #servers: http.Server[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #exchanges: ExchangeReport[] = [];
  readonly #faults: string[] = [];

  private constructor(behavior: Behavior, clock: Clock, origins: Record<Host, string>) {
    this.#behavior = behavior;
    const counts = new Map<string, number>();
    const firstCalls = new Map<string, number>();
    this.#world = {
      library: new Library({ ...USUAL, ...behavior.library }, () => clock.now()),
      clock,
      origins,
      times(key) {
        counts.set(key, (counts.get(key) ?? 0) + 1);
        return counts.get(key) ?? 0;
      },
      since(key) {
        const at = firstCalls.get(key) ?? clock.now();
        firstCalls.set(key, at);
        return at;
      },
    };
  }

  static async open(behavior: Behavior, clock: Clock): Promise<UnusualSite> {
    const origins = { site: '', store: '', foreign: '' };
    const site = new UnusualSite(behavior, clock, origins);
    for (const host of HOSTS) {
      const server = http.createServer({ requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 60_000 });
      site.#listenTo(server, host);
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      origins[host] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    }
    return site;
  }

  get baseUrl(): string {
    return this.#world.origins.site + this.#world.library.settings.basePath;
  }

  report(): SiteReport {
    const { library } = this.#world;
    return {
      items: library.items
        .filter(({ isSeeded }) => !isSeeded)
        .map((item) => ({
          id: String(item.id),
          title: item.title,
          status: item.status,
          publishOn: item.publishOn,
          tags: item.tags,
          thumbs: item.thumbs,
          files: item.files.map((file) => ({
            id: String(file.id),
            name: file.name,
            type: file.type,
            status: library.statusOf(file),
            encodedFromId: file.encodedFromId,
            sha256: file.bytes?.sha256 ?? null,
            sentName: file.bytes?.name ?? null,
          })),
        })),
      deletedItems: library.deletedItems,
      deletedFiles: library.deletedFiles,
      exchanges: this.#exchanges,
      faults: this.#faults,
    };
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }

  #listenTo(server: http.Server, host: Host): void {
    this.#servers.push(server);
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('clientError', (_error, socket) => socket.destroy());
    const take = (request: IncomingMessage, response: ServerResponse, asksFirst: boolean) => {
      request.on('error', () => {});
      response.on('error', () => {});
      this.#take(host, request, response, asksFirst).catch((error: unknown) => {
        this.#faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
        request.socket.destroy();
      });
    };
    server.on('request', (request, response) => take(request, response, false));
    server.on('checkContinue', (request, response) => take(request, response, true));
  }

  async #take(host: Host, incoming: IncomingMessage, response: ServerResponse, asksFirst: boolean): Promise<void> {
    const { origins, library } = this.#world;
    const url = new URL(incoming.url ?? '', origins[host]);
    const method = incoming.method ?? '';
    const { route, ids } = routeOf(host, method, url.pathname, library.settings.basePath);
    const head: RequestHead = { host, route, method, url, headers: incoming.headers, ids };
    const exchange: ExchangeReport = {
      host,
      route,
      method,
      path: url.pathname + url.search,
      at: this.#world.clock.now(),
      status: null,
      bodyBytes: 0,
      hasToken: false,
    };
    this.#exchanges.push(exchange);
    exchange.hasToken = this.#holdsToken([incoming.url ?? '', ...incoming.rawHeaders].join('\n'));

    const early = this.#behavior.early?.(head, this.#world);
    if (early !== undefined) {
      exchange.status = early.status;
      return this.#send(early, incoming, response);
    }
    if (asksFirst) this.#goAhead(response, incoming.socket);
    const body = await this.#readBody(incoming, exchange);
    if (body === null) return;
    exchange.hasToken ||= this.#holdsToken(body.toString('latin1'));
    const request: Request = { ...head, body };
    const { instead, change } = this.#behavior;
    const usual = () => {
      const own = placeFields(answer(request, this.#world));
      return change?.(own, request, this.#world) ?? own;
    };
    const reply = instead?.(request, this.#world) ?? usual();
    exchange.status = reply.status;
    await this.#send(reply, incoming, response);
  }

  #goAhead(response: ServerResponse, socket: Socket): void {
    const { goAhead = 'once' } = this.#behavior;
    if (goAhead !== 'never') response.writeContinue();
    if (goAhead === 'twice') socket.write('HTTP/1.1 100 Continue\r\n\r\n');
  }

  async #readBody(incoming: IncomingMessage, exchange: ExchangeReport): Promise<Buffer | null> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming as AsyncIterable<Buffer>) {
        chunks.push(chunk);
        exchange.bodyBytes += chunk.length;
        if (this.#behavior.readsSlowly && chunk.length >= PIECE_BYTES) await sleep(this.#world.clock, READ_PAUSE_MS);
      }
    } catch {
      return null; // The client has gone.
    }
    return Buffer.concat(chunks);
  }

  async #send(reply: Reply, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    if (reply.delayMs) await sleep(this.#world.clock, reply.delayMs);
    const { socket } = incoming;
    if (socket.destroyed) return;
    if (reply.isLost) return reply.ending === 'close' ? void socket.end() : void socket.resetAndDestroy();
    if (reply.raw !== undefined) {
      socket.write(reply.raw, () => this.#end(reply, socket));
      return;
    }
    const { body } = reply;
    const names = new Set(reply.headers.map(([name]) => name.toLowerCase()));
    const hasLength = names.has('content-length') || names.has('transfer-encoding') || reply.status === 204;
    const headers = [...reply.headers];
    // Uses the library's own clock, which runs faster than the clock of this computer.
    const { library, clock } = this.#world;
    if (!names.has('date')) headers.push(['Date', new Date(clock.now() + library.settings.clockSkewMs).toUTCString()]);
    if (!hasLength) headers.push(['Content-Length', String(Buffer.byteLength(body))]);
    if (this.#behavior.closesAlways && !names.has('connection')) headers.push(['Connection', 'close']);
    response.writeHead(reply.status, headers.flat());
    response.end(reply.status === 204 ? undefined : body, () => this.#end(reply, socket));
  }

  #end({ ending = 'keep' }: Reply, socket: Socket): void {
    if (ending === 'close') socket.end();
    if (ending === 'reset') socket.resetAndDestroy();
  }

  #holdsToken(text: string): boolean {
    for (const token of this.#world.library.everyToken) if (text.includes(token)) return true;
    return false;
  }
}
