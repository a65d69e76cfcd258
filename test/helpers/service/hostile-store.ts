// A small object store in memory, for the faults that real stores show too rarely: a test may answer any request in another way.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { S3Access } from '../../destinations/store.ts';

const BUCKET = 'media';

export interface StoreRequest {
  method: string;
  /** With the prefix; empty for the bucket. */
  key: string;
  query: URLSearchParams;
  request: IncomingMessage;
  response: ServerResponse;
}

export interface HostileStore {
  access: S3Access;
  /** The objects by their keys, with the prefix. */
  objects: Map<string, { bytes: Buffer; modifiedAt: number }>;
  /** The keys of uploads in parts that were not completed, by their ids. */
  unfinished: Map<string, { key: string; startedAt: number; parts: Map<number, Buffer> }>;
  /** Method and key of each request, in order. */
  seen: string[];
  /** Answers a request in another way: returns true when it does. */
  instead: (request: StoreRequest) => boolean;
  close(): Promise<void>;
}

export async function startHostileStore(): Promise<HostileStore> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://store');
    const key = decodeURIComponent(url.pathname.split('/').slice(2).join('/'));
    const asked = { method: request.method ?? '', key, query: url.searchParams, request, response };
    store.seen.push(`${asked.method} ${key}`);
    response.on('error', () => {});
    request.on('error', () => {});
    if (!store.instead(asked)) void answer(store, asked);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const store: HostileStore = {
    access: { endpoint: `http://127.0.0.1:${port}`, bucket: BUCKET, accessKey: 'key', secretKey: 'secret' },
    objects: new Map(),
    unfinished: new Map(),
    seen: [],
    instead: () => false,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return store;
}

async function answer(store: HostileStore, asked: StoreRequest): Promise<void> {
  const { method, request } = asked;
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return;
  }
  const body = Buffer.concat(chunks);
  if (asked.key === '') listOrReceive(store, asked, body);
  else if (method === 'GET' || method === 'HEAD') read(store, asked);
  else if (method === 'PUT') write(store, asked, body);
  else if (method === 'POST') parts(store, asked);
  else remove(store, asked);
}

function read(store: HostileStore, { key, request, response }: StoreRequest): void {
  const found = store.objects.get(key);
  if (!found) {
    response.writeHead(404).end(request.method === 'HEAD' ? '' : '<Error><Code>NoSuchKey</Code></Error>');
    return;
  }
  const { bytes } = found;
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const [start, end] = [Number(first ?? 0), Math.min(Number(last ?? Number.POSITIVE_INFINITY), bytes.length - 1)];
  response.writeHead(first === undefined ? 200 : 206, {
    'content-length': end - start + 1,
    ...(first !== undefined && { 'content-range': `bytes ${start}-${end}/${bytes.length}` }),
  });
  response.end(request.method === 'HEAD' ? undefined : bytes.subarray(start, end + 1));
}

function write(store: HostileStore, { key, query, request, response }: StoreRequest, body: Buffer): void {
  const id = query.get('uploadId');
  const source = request.headers['x-amz-copy-source'];
  if (id !== null) {
    store.unfinished.get(id)?.parts.set(Number(query.get('partNumber')), body);
    response.writeHead(200, { etag: '"part"' }).end();
    return;
  }
  const from = typeof source === 'string' ? decodeURIComponent(source.split('/').slice(2).join('/')) : undefined;
  const bytes = from === undefined ? body : store.objects.get(from)?.bytes;
  if (bytes === undefined) {
    response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
    return;
  }
  store.objects.set(key, { bytes, modifiedAt: Date.now() });
  response.writeHead(200, { etag: '"all"' }).end(from && '<CopyObjectResult><ETag>all</ETag></CopyObjectResult>');
}

function parts(store: HostileStore, { key, query, response }: StoreRequest): void {
  if (query.has('uploads')) {
    const id = randomBytes(8).toString('hex');
    store.unfinished.set(id, { key, startedAt: Date.now(), parts: new Map() });
    response.end(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
    return;
  }
  const id = query.get('uploadId') ?? '';
  const known = store.unfinished.get(id);
  if (!known) {
    response.writeHead(404).end('<Error><Code>NoSuchUpload</Code></Error>');
    return;
  }
  store.unfinished.delete(id);
  const inOrder = [...known.parts].sort(([a], [b]) => a - b).map(([, bytes]) => bytes);
  store.objects.set(key, { bytes: Buffer.concat(inOrder), modifiedAt: Date.now() });
  response.end('<CompleteMultipartUploadResult><ETag>all</ETag></CompleteMultipartUploadResult>');
}

function remove(store: HostileStore, { key, query, response }: StoreRequest): void {
  const id = query.get('uploadId');
  if (id === null) store.objects.delete(key);
  else store.unfinished.delete(id);
  response.writeHead(204).end();
}

/** Lists the bucket, or receives a form without checking it. */
function listOrReceive(store: HostileStore, { method, query, request, response }: StoreRequest, body: Buffer): void {
  if (method === 'POST') {
    const boundary = /boundary=(.+)$/.exec(request.headers['content-type'] ?? '')?.[1] ?? '';
    const text = body.toString('latin1');
    const key = /name="key"\r\n\r\n([^\r]*)/.exec(text)?.[1] ?? '';
    const begin = text.indexOf('\r\n\r\n', text.indexOf('name="file"')) + 4;
    const end = text.indexOf(`\r\n--${boundary}`, begin);
    store.objects.set(key, { bytes: body.subarray(begin, end), modifiedAt: Date.now() });
    response.writeHead(204).end();
    return;
  }
  const prefix = query.get('prefix') ?? '';
  if (query.has('uploads')) {
    const found = [...store.unfinished].filter(([, { key }]) => key.startsWith(prefix));
    const each = found.map(
      ([id, { key, startedAt }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${new Date(startedAt).toISOString()}</Initiated></Upload>`,
    );
    response.end(`<ListMultipartUploadsResult>${each.join('')}</ListMultipartUploadsResult>`);
    return;
  }
  const after = query.get('start-after') ?? '';
  const found = [...store.objects].filter(([key]) => key.startsWith(prefix) && key > after).sort();
  const page = found.slice(0, Number(query.get('max-keys') ?? 1000));
  const escapeXml = (key: string) => key.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const each = page.map(
    ([key, { modifiedAt }]) =>
      `<Contents><Key>${escapeXml(key)}</Key><LastModified>${new Date(modifiedAt).toISOString()}</LastModified></Contents>`,
  );
  response.end(
    `<ListBucketResult><IsTruncated>${page.length < found.length}</IsTruncated>${each.join('')}</ListBucketResult>`,
  );
}
