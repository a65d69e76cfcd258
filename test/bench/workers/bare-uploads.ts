// Sends the requests that uploads need, `parallel` at a time, and stores nothing: no queue, no journal, no retries.
//   node bare-uploads.ts < {"baseUrl", "token", "collectionId", "paths", "parallel"}
import { readFile } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { basename } from 'node:path';
import { buffer, text } from 'node:stream/consumers';

interface BareOrder {
  baseUrl: string;
  token: string;
  collectionId: string;
  paths: string[];
  parallel: number;
}

interface Placeholder {
  upload: {
    protocols: {
      form_data: {
        upload_url: string;
        upload_file_param: string;
        upload_post_params: Record<string, string>;
        postprocess_url?: string | null;
      };
    };
  };
}

const BOUNDARY = 'mediadesk-bench-boundary';
const LOOK_AGAIN_MS = 400;

const order = JSON.parse(await text(process.stdin)) as BareOrder;
const agent = new Agent({ keepAlive: true, maxSockets: order.parallel });
const startedAt = performance.now();
const files: string[] = [];
const waiting = [...order.paths];
await Promise.all(Array.from({ length: order.parallel }, worker));
const sentAt = performance.now();
await Promise.all(Array.from({ length: order.parallel }, follower));
console.log(JSON.stringify({ sentMs: sentAt - startedAt, completeMs: performance.now() - startedAt }));
agent.destroy();

async function worker(): Promise<void> {
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) files.push(await upload(path));
}

/** Polls each file until it is complete; most are complete at the first poll. */
async function follower(): Promise<void> {
  for (let file = files.shift(); file !== undefined; file = files.shift()) {
    for (;;) {
      const { body } = await ask('GET', file);
      if ((JSON.parse(body.toString()) as { status: string }).status === 'complete') break;
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
  }
}

/** Uploads a file; resolves with the path of the media file. */
async function upload(path: string): Promise<string> {
  const name = basename(path);
  const bytes = await readFile(path);
  const item = await ask('POST', '/api2/media', { title: name, collection_id: order.collectionId });
  const itemPath = locationOf(item.response);
  const input = { upload_name: name, upload_size: bytes.length };
  const made = await ask('POST', `${itemPath}/files`, input);
  const { form_data: form } = (JSON.parse(made.body.toString()) as Placeholder).upload.protocols;
  const head = [
    ...Object.entries(form.upload_post_params).map(
      ([field, value]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
    ),
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${form.upload_file_param}"; filename="${name}"\r\n`,
    'content-type: application/octet-stream\r\n\r\n',
  ].join('');
  const whole = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
  await send('POST', form.upload_url, { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }, whole);
  if (form.postprocess_url) await ask('POST', form.postprocess_url, {});
  return locationOf(made.response);
}

function ask(method: string, target: string, body?: unknown) {
  const headers = { authorization: `Bearer ${order.token}`, 'content-type': 'application/json' };
  return send(method, target, headers, body === undefined ? undefined : Buffer.from(JSON.stringify(body)));
}

function send(method: string, target: string, headers: Record<string, string>, body?: Buffer) {
  return new Promise<{ response: IncomingMessage; body: Buffer }>((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(body.length) };
    const sent = request(new URL(target, order.baseUrl), { method, agent, headers: { ...headers, ...length } });
    sent.on('error', reject);
    sent.on('response', (response) => {
      buffer(response).then((answer) => {
        if ((response.statusCode ?? 500) < 300) resolve({ response, body: answer });
        else reject(new Error(`${method} ${target}: ${response.statusCode} ${answer}`));
      }, reject);
    });
    sent.end(body);
  });
}

function locationOf(response: IncomingMessage): string {
  return new URL(response.headers.location ?? '', order.baseUrl).pathname;
}
