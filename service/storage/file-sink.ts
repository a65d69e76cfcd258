import type { Readable } from 'node:stream';
import { badRequest, type Problem } from '../http/problem.ts';
import { type ByteWriter, openByteWriter } from './byte-writer.ts';
import { doneWith } from './young-buffers.ts';

export interface FileSink {
  /** Writes a stream to the file, at most the agreed size; resolves with the bytes that are then on disk. */
  consume(stream: Readable, onBytes: () => void): Promise<number>;
  /** Stops writing and closes the file. */
  abandon(): Promise<void>;
}

export function sizeProblem(expected: number, received: number | 'more'): Problem {
  return badRequest(`The upload must have ${expected} bytes; it has ${received}.`);
}

/** Takes one stream to one new file; holds the stream while the disk is behind. */
export function createFileSink(
  path: string,
  sizeBytes: number,
  direct: boolean,
  onFail: (error: unknown) => void,
): FileSink {
  let abandoned = false;
  let opening: Promise<ByteWriter> | undefined;

  async function consume(stream: Readable, onBytes: () => void): Promise<number> {
    stream.pause();
    opening = openByteWriter(path, sizeBytes, direct, { onRoom: () => stream.resume(), onFail });
    const writer = await opening;
    let received = 0;
    if (abandoned) return received;
    await new Promise<void>((resolve) => {
      stream.on('data', (chunk: Buffer) => {
        if (abandoned) return;
        received += chunk.length;
        onBytes();
        if (received > sizeBytes) return onFail(sizeProblem(sizeBytes, 'more'));
        if (!writer.write(chunk)) stream.pause();
        doneWith(chunk.length);
      });
      stream.on('end', resolve);
      stream.resume();
    });
    if (!abandoned) await writer.finish();
    return received;
  }

  return {
    consume,
    async abandon() {
      if (abandoned) return;
      abandoned = true;
      const writer = await opening?.catch(() => undefined);
      await writer?.abandon();
    },
  };
}
