import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import type { Descriptor } from './service-client.ts';

/** The answer to a raw request, which `fetch` can't send. */
export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Whether the server sent 100 Continue. */
  continued: boolean;
}

/** Sends headers with `Expect: 100-continue`, and the body only when the server requests it. */
export function expectContinue(url: string, headers: Record<string, string>, body: Buffer): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let continued = false;
    const request = httpRequest(url, { method: 'POST', headers: { ...headers, expect: '100-continue' } });
    request.on('continue', () => {
      continued = true;
      request.end(body);
    });
    request.on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(parts).toString(),
          continued,
        });
        request.destroy();
      });
    });
    request.on('error', reject);
    request.flushHeaders();
  });
}

/** Writes bytes to a socket and returns everything that arrives until the server closes it. */
export function exchange(baseUrl: string, bytes: string | Buffer, timeoutMs = 3000): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const finish = () => resolve(Buffer.concat(parts).toString('latin1'));
    const socket = connect(Number(port), hostname, () => socket.end(bytes));
    socket.setTimeout(timeoutMs, () => socket.destroy());
    socket.on('data', (part) => parts.push(part));
    socket.on('error', () => {});
    socket.on('close', finish);
  });
}

const BOUNDARY = 'x-boundary-x';

/** A form as an uploader writes it: the fields, then the head of the file part; bytes and tail follow. */
export function formParts(
  upload: Descriptor,
  fileName: string,
): { head: Buffer<ArrayBuffer>; tail: Buffer<ArrayBuffer>; contentType: string; url: string } {
  const { upload_url, upload_file_param, upload_post_params } = upload.protocols.form_data;
  const fields = Object.entries(upload_post_params).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${upload_file_param}"; filename="${fileName}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  return {
    head: Buffer.from(fields.join('') + file),
    tail: Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
    contentType: `multipart/form-data; boundary=${BOUNDARY}`,
    url: upload_url,
  };
}

/** An upload that pauses at a given byte: the request stays open with a part of the file sent. */
export function startUpload(upload: Descriptor, size: number, send: Buffer): Promise<{ abort(): void }> {
  const { head, tail, contentType, url } = formParts(upload, 'part.bin');
  return new Promise((resolve) => {
    const request = httpRequest(url, {
      method: 'POST',
      headers: { 'content-type': contentType, 'content-length': head.length + size + tail.length },
    });
    request.on('error', () => {});
    request.write(head);
    request.write(send, () => resolve({ abort: () => request.destroy() }));
  });
}
