import type { ServiceProcess } from './service-process.ts';
import { signIn, type Tokens } from './service-sign-in.ts';

/** An answer with its decoded body, if it can be decoded. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  body: any;
  /** Path of the Location header. */
  location: string;
}

/** Plain HTTP with a token: no retries, no redirects, no checks. */
export interface ServiceClient {
  readonly tokens: Tokens;
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
  /** Creates an item in a collection (the root by default); returns its path. */
  createItem(title: string, fields?: Record<string, unknown>): Promise<string>;
  /** Creates a file, sends its bytes and completes the upload; returns the file's path. */
  upload(itemPath: string, name: string, bytes: Uint8Array, fields?: Record<string, unknown>): Promise<string>;
  /** Polls until the resource satisfies a condition. Throws after `withinMs`, by default 20 seconds. */
  until(path: string, ready: (body: Answer['body']) => boolean, withinMs?: number): Promise<Answer['body']>;
  /** Returns the file when its processing has ended. */
  processed(filePath: string, withinMs?: number): Promise<Answer['body']>;
}

/** Signs in one of the seeded accounts and returns its client. */
export async function clientFor(
  service: ServiceProcess,
  who: 'admin' | 'editor' | 'producer' | 'viewer' = 'admin',
): Promise<ServiceClient> {
  const tokens = await signIn(service, { email: `${who}@library.example` });
  return clientWith(service, tokens);
}

export function clientWith(service: Pick<ServiceProcess, 'baseUrl'>, tokens: Tokens): ServiceClient {
  async function request(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(new URL(path, service.baseUrl), {
      method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${tokens.access_token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return answerOf(response, service.baseUrl);
  }

  const client: ServiceClient = {
    tokens,
    request,
    get: (path) => request('GET', path),
    post: (path, body) => request('POST', path, body),
    delete: (path) => request('DELETE', path),
    async createItem(title, fields = {}) {
      const answer = await request('POST', '/api2/media', { title, collection_id: '1', ...fields });
      if (answer.status !== 201) throw new Error(`The item was not created: ${answer.status} ${answer.text}`);
      return answer.location;
    },
    async upload(itemPath, name, bytes, fields = {}) {
      const file = await request('POST', `${itemPath}/files`, {
        upload_name: name,
        upload_size: bytes.length,
        ...fields,
      });
      if (file.status !== 201) throw new Error(`The file was not created: ${file.status} ${file.text}`);
      const sent = await sendForm(file.body.upload, name, bytes);
      if (sent.status >= 400) throw new Error(`The upload was refused: ${sent.status} ${await sent.text()}`);
      const { postprocess_url } = file.body.upload.protocols.form_data;
      if (postprocess_url) await fetch(postprocess_url, { method: 'POST', body: new URLSearchParams() });
      return file.location;
    },
    async until(path, ready, withinMs = 180_000) {
      const deadline = Date.now() + withinMs;
      for (;;) {
        const { body } = await request('GET', path);
        if (ready(body)) return body;
        if (Date.now() > deadline) throw new Error(`${path} stayed as it is: ${JSON.stringify(body)}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    processed: (filePath, withinMs) =>
      client.until(filePath, ({ status }) => status === 'complete' || status === 'error', withinMs),
  };
  return client;
}

export async function answerOf(response: Response, baseUrl: string): Promise<Answer> {
  const text = await response.text();
  const location = response.headers.get('location');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: decode(text),
    location: location === null ? '' : new URL(location, baseUrl).pathname,
  };
}

function decode(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface Descriptor {
  protocols: {
    form_data: {
      upload_url: string;
      upload_file_param: string;
      upload_post_params: Record<string, string>;
      postprocess_url?: string;
    };
  };
}

/** Sends bytes to an upload destination as a form, the fields first. */
export function sendForm(upload: Descriptor, name: string, bytes: Uint8Array): Promise<Response> {
  const { upload_url, upload_file_param, upload_post_params } = upload.protocols.form_data;
  const form = new FormData();
  for (const [field, value] of Object.entries(upload_post_params)) form.set(field, value);
  form.set(upload_file_param, new File([bytes as Uint8Array<ArrayBuffer>], name));
  return fetch(upload_url, { method: 'POST', body: form, redirect: 'manual' });
}
