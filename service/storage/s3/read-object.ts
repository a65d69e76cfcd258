import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { StorageUnavailable } from '../storage-unavailable.ts';
import { RETRY_AFTER_MS, type S3Client } from './client.ts';

/**
 * Returns the bytes of an object from `start` to `end`, both included. Objects never change, so an answer that breaks off is continued
 * by another request. Rejects with `StorageUnavailable` when no answer begins, and the stream fails with it when the store sends other
 * bytes than it was asked for, or none for some requests.
 */
export async function readObject(
  client: S3Client,
  key: string,
  { start, end }: { start: number; end: number },
): Promise<Readable> {
  let position = start;
  let current: IncomingMessage | undefined;
  let broken = 0;

  async function ask(): Promise<IncomingMessage> {
    const answer = await client.read({ method: 'GET', key, headers: { range: `bytes=${position}-${end}` } });
    const problem = problemOf(answer, position, end);
    if (problem === undefined) return answer;
    answer.destroy();
    throw problem;
  }

  /** Asks until an answer begins. */
  async function open(): Promise<IncomingMessage> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        const pause = RETRY_AFTER_MS[broken];
        broken += 1;
        if (pause === undefined || !isWorthAnother(error) || content?.destroyed === true) throw error;
        await wait(pause);
      }
    }
  }

  function follow(answer: IncomingMessage): void {
    current = answer;
    const from = position;
    answer.on('data', (chunk: Buffer) => {
      if (position + chunk.length > end + 1) return fail(new StorageUnavailable('too many bytes'));
      position += chunk.length;
      if (!content.push(chunk)) answer.pause();
    });
    // The answer has ended when it emits `close`.
    answer.on('error', () => {});
    answer.on('close', () => {
      if (content.destroyed) return;
      if (position === end + 1) content.push(null);
      else {
        broken = position > from ? 0 : broken + 1;
        open().then(follow, fail);
      }
    });
    if (content.destroyed) answer.destroy();
  }

  const fail = (error: unknown) => void content.destroy(error as Error);
  let content: Readable;
  const first = await open();
  content = new Readable({
    read: () => void current?.resume(),
    destroy(error, done) {
      current?.destroy();
      done(error);
    },
  });
  follow(first);
  return content;
}

/** Bytes that the store keeps sending wrongly, or does not have, don't come by another request. */
function isWorthAnother(error: unknown): boolean {
  return error instanceof StorageUnavailable && !/^(?:[1-4]\d\d$|other bytes)/.test(error.code);
}

function problemOf({ statusCode = 0, headers }: IncomingMessage, start: number, end: number) {
  const length = headers['content-length'];
  const isLong = length === undefined || Number(length) === end - start + 1;
  if (statusCode === 200 && start === 0 && length !== undefined && isLong) return undefined;
  if (statusCode !== 206) return new StorageUnavailable(String(statusCode));
  const isRange = headers['content-range']?.startsWith(`bytes ${start}-${end}/`) === true;
  return isRange && isLong ? undefined : new StorageUnavailable('other bytes');
}
