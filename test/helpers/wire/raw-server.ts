// A server that reads and writes bytes by script, so that it can show any faulty behavior of a peer.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

export interface RequestHead {
  requestLine: string;
  /** Names in lower case; a repeated header throws, because no test expects one. */
  headers: ReadonlyMap<string, string>;
}

/** One connection, seen from the server. Reads only on request, so that a waiting script causes real back-pressure. */
export class RawPeer {
  readonly socket: Socket;
  /** Bytes that the script has read, including the head. */
  takenBytes = 0;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('error', () => {}); // Broken connections are expected in these tests.
  }

  /** Returns the available bytes, at most `limit`; null when the peer has ended or disconnected. */
  async read(limit = Number.POSITIVE_INFINITY): Promise<Buffer | null> {
    for (;;) {
      const chunk = this.socket.read() as Buffer | null;
      if (chunk !== null) {
        if (chunk.length > limit) this.socket.unshift(chunk.subarray(limit));
        const taken = chunk.subarray(0, limit);
        this.takenBytes += taken.length;
        return taken;
      }
      if (this.socket.readableEnded || this.socket.destroyed) return null;
      await this.#something();
    }
  }

  /** Returns exactly this number of bytes; fewer when the peer ends before. */
  async readExactly(length: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let missing = length;
    while (missing > 0) {
      const chunk = await this.read(missing);
      if (chunk === null) break;
      chunks.push(chunk);
      missing -= chunk.length;
    }
    return Buffer.concat(chunks);
  }

  /** Returns everything until the peer ends or disconnects. */
  async readToEnd(): Promise<Buffer> {
    return this.readExactly(Number.POSITIVE_INFINITY);
  }

  /** Reads and discards everything until the peer ends or disconnects. */
  async untilGone(): Promise<void> {
    while ((await this.read()) !== null);
    this.socket.destroy();
  }

  /** Returns the head of the next request. Throws when the peer disconnects before it is complete. */
  async readHead(): Promise<RequestHead> {
    let text = '';
    while (!text.endsWith('\r\n\r\n')) {
      const byte = await this.read(1);
      if (byte === null) throw new Error(`The other side went after ${JSON.stringify(text)}.`);
      text += byte.toString('latin1');
    }
    const [requestLine = '', ...lines] = text.trimEnd().split('\r\n');
    const headers = new Map<string, string>();
    for (const line of lines) {
      const colon = line.indexOf(':');
      const name = line.slice(0, colon).toLowerCase();
      if (headers.has(name)) throw new Error(`The header ${name} came twice.`);
      headers.set(name, line.slice(colon + 1).trim());
    }
    return { requestLine, headers };
  }

  /** Returns the body that the head announces. */
  readBody(head: RequestHead): Promise<Buffer> {
    return this.readExactly(Number(head.headers.get('content-length')));
  }

  write(text: string | Uint8Array): void {
    this.socket.write(text);
  }

  /** Sends the go-ahead for the body (100 Continue). */
  goAhead(): void {
    this.write('HTTP/1.1 100 Continue\r\n\r\n');
  }

  /** Sends a complete answer. The connection stays open unless the headers say otherwise. */
  answer(status: number, body = '', headers: Readonly<Record<string, string>> = {}): void {
    const bytes = Buffer.from(body);
    const lines = Object.entries({ 'Content-Length': String(bytes.length), ...headers });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    this.write(`HTTP/1.1 ${status} Status\r\n${status === 204 ? '' : head}\r\n`);
    if (bytes.length > 0) this.write(bytes);
  }

  /** Half-closes the connection: the peer can continue to send. */
  halfClose(): void {
    this.socket.end();
  }

  /** Closes the connection; unread bytes cause a reset at the peer. */
  cut(): void {
    this.socket.destroy();
  }

  /** A TCP reset. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  /** Resolves when there is something to read, or when nothing more can arrive. */
  #something(): Promise<void> {
    const names = ['readable', 'end', 'close'] as const;
    return new Promise((resolve) => {
      const onEvent = () => {
        for (const name of names) this.socket.off(name, onEvent);
        resolve();
      };
      for (const name of names) this.socket.on(name, onEvent);
    });
  }
}

/** The script of a connection; `index` counts connections from 0. */
export type RawScript = (peer: RawPeer, index: number) => Promise<void> | void;

export class RawServer {
  readonly url: URL;
  /** Every connection so far. */
  readonly peers: RawPeer[] = [];
  readonly #server: Server;
  readonly #scripts: Promise<void>[] = [];

  constructor(server: Server, protocol: string, script: RawScript) {
    this.#server = server;
    const { port } = server.address() as AddressInfo;
    this.url = new URL(`${protocol}://127.0.0.1:${port}/drop/here?ticket=1`);
    server.on(protocol === 'https' ? 'secureConnection' : 'connection', (socket: Socket) => {
      const peer = new RawPeer(socket);
      this.peers.push(peer);
      const running = Promise.resolve(script(peer, this.peers.length - 1));
      running.catch(() => {}); // `scriptsEnded` awaits it and reports its error.
      this.#scripts.push(running);
    });
  }

  /** Resolves when every script has ended; rejects with the first error. */
  async scriptsEnded(): Promise<void> {
    await Promise.all(this.#scripts);
  }

  async close(): Promise<void> {
    for (const { socket } of this.peers) socket.destroy();
    if (!this.#server.listening) return;
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Starts the server on a free loopback port. */
export async function startRawServer(script: RawScript, tls?: TlsOptions): Promise<RawServer> {
  const server = tls ? createTlsServer(tls) : createServer({ allowHalfOpen: true });
  server.on('tlsClientError', () => {}); // A client that does not trust the certificate closes the connection.
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return new RawServer(server, tls ? 'https' : 'http', script);
}
