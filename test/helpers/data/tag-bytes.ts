// Bytes of tags as programs write them, for forms that no tool at hand makes.

/** Bytes with their number before them, in four bytes of eight or of seven bits. */
type Size = (length: number) => Buffer;
export const plainSize: Size = (length) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
};
export const safeSize: Size = (length) =>
  Buffer.from([length >> 21, length >> 14, length >> 7, length].map((part) => part & 0x7f));

/** An ID3v2 frame. `size`: how its length is written. */
export function id3Frame(id: string, data: Uint8Array, { size = plainSize, flags = [0, 0] } = {}): Buffer {
  const isOld = id.length === 3;
  const length = size(data.length);
  return Buffer.concat([Buffer.from(id), isOld ? length.subarray(1) : length, Buffer.from(isOld ? [] : flags), data]);
}

/** An ID3v2 text in UTF-8, or in Latin-1 for versions before 2.4. */
export const id3Text = (text: string, isUtf8 = false): Buffer =>
  Buffer.concat([Buffer.from([isUtf8 ? 3 : 0]), Buffer.from(text, isUtf8 ? 'utf8' : 'latin1')]);

/** An ID3v2 tag of these frames. */
export function id3Tag(major: number, frames: readonly Uint8Array[], flags = 0): Buffer {
  const body = Buffer.concat(frames);
  return Buffer.concat([Buffer.from('ID3'), Buffer.from([major, 0, flags]), safeSize(body.length), body]);
}

/** A box of MP4. */
export function box(type: string, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  return Buffer.concat([plainSize(body.length + 8), Buffer.from(type, 'latin1'), body]);
}

/** An MP4 or QuickTime file whose index has this user data. */
export function indexOnly(brand: string, ...userData: readonly Uint8Array[]): Buffer {
  return Buffer.concat([box('ftyp', Buffer.from(`${brand}\0\0\0\0${brand}`)), box('moov', box('udta', ...userData))]);
}

/** An item of a list of values of MP4. `kind`: 1 is a text, 13 a picture. */
export const listItem = (type: string, data: Uint8Array, kind = 1): Buffer =>
  box(type, box('data', Buffer.from([0, 0, 0, kind, 0, 0, 0, 0]), data));

/** A list of comments of FLAC and Ogg. */
export function vorbisComments(comments: readonly string[]): Buffer {
  const counted = (bytes: Uint8Array) => Buffer.concat([plainSize(bytes.length).reverse(), bytes]);
  const list = comments.map((comment) => counted(Buffer.from(comment)));
  return Buffer.concat([counted(Buffer.from('maker')), plainSize(comments.length).reverse(), ...list]);
}

/** A FLAC file of these blocks, without sound. */
export function flacFile(blocks: readonly (readonly [type: number, data: Uint8Array])[]): Buffer {
  const all = [[0, Buffer.alloc(34)] as const, ...blocks].map(([type, data], index) => {
    const isLast = index === blocks.length;
    return Buffer.concat([Buffer.from([type | (isLast ? 0x80 : 0)]), plainSize(data.length).subarray(1), data]);
  });
  return Buffer.concat([Buffer.from('fLaC'), ...all]);
}

/** An Ogg file of one stream with these packets. `segments`: the maximum number of segments of a page. */
export function oggFile(packets: readonly Uint8Array[], segments = 255): Buffer {
  const pages: Buffer[] = [];
  for (const [index, packet] of packets.entries()) {
    const lengths = [...Array.from({ length: Math.floor(packet.length / 255) }, () => 255), packet.length % 255];
    for (let at = 0; at < lengths.length; at += segments) {
      const part = lengths.slice(at, at + segments);
      const head = Buffer.alloc(27);
      head.write('OggS');
      head[5] = (at > 0 ? 1 : 0) | (index === 0 ? 2 : 0);
      head[14] = 7;
      head[26] = part.length;
      pages.push(head, Buffer.from(part), Buffer.from(packet.subarray(at * 255, (at + segments) * 255)));
    }
  }
  return Buffer.concat(pages);
}

/** A chunk of RIFF, or of AIFF with `isBig`. */
export function riffChunk(type: string, data: Uint8Array, isBig = false): Buffer {
  const size = plainSize(data.length);
  return Buffer.concat([Buffer.from(type), isBig ? size : size.reverse(), data, Buffer.alloc(data.length % 2)]);
}
