// A library whose bytes go to a store: the real service, and in front of it a relay that hands out the store's
// descriptors. When it is notified, the relay moves the file from the store into the service, byte by byte.
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Descriptor, sendForm } from '../helpers/service/service-client.ts';
import type { Store, StoreDestination } from './store.ts';

export interface RelayLibrary {
  baseUrl: string;
  /** How many descriptors were handed out. */
  issued(): number;
  close(): Promise<void>;
}

interface Issued {
  fileName: string;
  own: Descriptor;
  store: StoreDestination;
}

/** `expiresInS`: how long the descriptor with this number, counted from 1, is good for. */
export async function startRelayLibrary(
  service: { baseUrl: string },
  store: Store,
  expiresInS: (number: number) => number = () => 3600,
): Promise<RelayLibrary> {
  const issued: Issued[] = [];
  const server = http.createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ message: String(error) }));
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const stored = /^\/stored\/(\d+)$/.exec(request.url ?? '');
    if (stored) {
      response.writeHead(await moveToService(issued[Number(stored[1])])).end();
      return;
    }
    const reply = await forward(service.baseUrl, request, body);
    const text = await bodyOf(reply);
    const status = reply.statusCode ?? 502;
    const isPlaceholder = request.method === 'POST' && /\/files$/.test(request.url ?? '') && status < 300;
    const answered = isPlaceholder ? withStore(text.toString(), body.toString()) : text;
    const { 'transfer-encoding': _, connection: __, ...headers } = reply.headers;
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(answered) });
    response.end(answered);
  }

  function withStore(text: string, asked: string): string {
    const { upload_name: fileName, upload_size: sizeBytes } = JSON.parse(asked) as {
      upload_name: string;
      upload_size: number;
    };
    const value = JSON.parse(text) as { upload: Descriptor };
    const to = store.destination({ fileName, sizeBytes, expiresInS: expiresInS(issued.length + 1) });
    issued.push({ fileName, own: value.upload, store: to });
    const form_data = {
      upload_url: to.url.href,
      upload_file_param: to.fileParam,
      upload_post_params: Object.fromEntries(to.fields),
      postprocess_url: `/stored/${issued.length - 1}`,
    };
    return JSON.stringify({ ...value, upload: { protocols: { form_data } } });
  }

  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    issued: () => issued.length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The same request to the service; its answer. */
function forward(baseUrl: string, request: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
  const { method, headers } = request;
  return new Promise((resolve, reject) => {
    const onward = http.request(new URL(request.url ?? '/', baseUrl), {
      method,
      headers: { ...headers, host: new URL(baseUrl).host, connection: 'close' },
    });
    onward.on('error', reject);
    onward.on('response', resolve);
    onward.end(body);
  });
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The status for a notification: 204 once the service has the contents of the store. */
async function moveToService(issued: Issued | undefined): Promise<number> {
  if (issued === undefined || (await issued.store.stored()) === null) return 409;
  const bytes = new Uint8Array(await (await issued.store.read()).arrayBuffer());
  const taken = await sendForm(issued.own, issued.fileName, bytes);
  if (taken.status >= 400) return taken.status;
  const { postprocess_url } = issued.own.protocols.form_data;
  if (postprocess_url === undefined) return 204;
  return (await fetch(postprocess_url, { method: 'POST', body: new URLSearchParams() })).status;
}
