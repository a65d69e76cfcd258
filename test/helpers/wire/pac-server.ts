import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server with one PAC script. */
export interface PacServer {
  url: string;
  /** Replaces the script. */
  serve(script: string): void;
  close(): Promise<void>;
}

export async function startPacServer(first: string): Promise<PacServer> {
  let script = first;
  const server = http.createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ns-proxy-autoconfig' }).end(script);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/proxy.pac`,
    serve(next) {
      script = next;
    },
    async close() {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}
