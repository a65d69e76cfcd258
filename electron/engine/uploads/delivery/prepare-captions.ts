import { MAX_CAPTIONS_BYTES } from '../../../../shared/formats/captions/read-captions.ts';
import { checkCaptions } from '../../common/check-captions.ts';
import type { FileFacts, OpenFile } from '../../ports/files.ts';
import { filledFrom } from '../../ports/filled-from.ts';

/** What is sent of captions beside a recording. */
interface PreparedCaptions {
  /** The bytes to send in place of the file; null: those of the file. */
  bytes: Uint8Array | null;
  /** The encoding that was guessed; null: it is certain. */
  guessed: string | null;
}

/** Reads captions before they are sent. Throws `captions.…` and the errors of reading the file. */
export type PrepareCaptions = (file: OpenFile, sizeBytes: number) => Promise<PreparedCaptions>;

/** Checks captions, and prepares SRT in UTF-8: libraries would have to guess another encoding. */
export const prepareCaptions: PrepareCaptions = async (file, sizeBytes) => {
  const given = await filledFrom(file, new Uint8Array(Math.min(sizeBytes, MAX_CAPTIONS_BYTES + 1)), 0);
  const { read, bytes } = checkCaptions(given);
  return { bytes: bytes === given ? null : bytes, guessed: read.isGuessed ? read.encoding : null };
};

/** Returns bytes as a file that can be sent. `facts`: of the file that they were made from. */
export function bytesAsFile(bytes: Uint8Array, facts: FileFacts): OpenFile {
  return {
    async read(buffer, offset, length, position) {
      const piece = bytes.subarray(position, position + length);
      buffer.set(piece, offset);
      return piece.length;
    },
    facts: async () => ({ ...facts, sizeBytes: bytes.length }),
    path: async () => null,
    close: async () => {},
  };
}
