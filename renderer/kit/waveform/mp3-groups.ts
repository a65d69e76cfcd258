import { Bytes } from '../../../shared/formats/bytes/bounded-bytes.ts';
import {
  frameAt,
  id3Length,
  infoTag,
  type MpegFrame,
  TAG_HEADER_BYTES,
} from '../../../shared/formats/containers/mpeg-audio.ts';
import { joined } from '../../../shared/formats/tags/bytes-out.ts';

/** Frames that follow each other in a file; a decoder takes them at once, which is several times faster than one by one. */
export interface Mp3Group {
  data: Uint8Array<ArrayBuffer>;
  /** Samples of a channel before this group. */
  startSample: number;
}

const ID3 = [0x49, 0x44, 0x33];
const GROUP_FRAMES = 64;
const HEADER_BYTES = 4;

/** Cuts the bytes of an MP3 file into groups of whole frames, in one pass. What is no frame is left out. */
export interface Mp3Groups {
  /** Takes the next bytes of the file; returns the groups that are complete. */
  add(bytes: Uint8Array): Mp3Group[];
  /** Returns the last group: call it after the last bytes. */
  end(): Mp3Group[];
}

export function createMp3Groups(): Mp3Groups {
  /** What was not used yet: the beginning of a frame, or bytes to skip. */
  let rest = new Uint8Array(0);
  let skip = 0;
  let isStart = true;
  let samples = 0;
  let parts: Uint8Array[] = [];
  let groupStart = 0;

  function closeGroup(): Mp3Group[] {
    if (parts.length === 0) return [];
    const data = joined(parts);
    parts = [];
    return [{ data, startSample: groupStart }];
  }

  /** Adds a frame; returns the group if it is complete. */
  function addFrame(bytes: Bytes, at: number, frame: MpegFrame): Mp3Group[] {
    const isFirst = isStart;
    isStart = false;
    if (isFirst && infoTag(bytes, at, frame) !== null) return [];
    if (parts.length === 0) groupStart = samples;
    parts.push(bytes.data.subarray(at, at + frame.bytes));
    samples += frame.samples;
    return parts.length >= GROUP_FRAMES ? closeGroup() : [];
  }

  /** Takes whole frames from the beginning of `bytes`; returns how many bytes were used. */
  function take(bytes: Bytes, isLast: boolean): { used: number; groups: Mp3Group[] } {
    const groups: Mp3Group[] = [];
    let at = 0;
    while (at + HEADER_BYTES <= bytes.length) {
      if (bytes.hasAt(at, ID3)) {
        if (at + TAG_HEADER_BYTES > bytes.length) break;
        const end = at + id3Length(bytes, at);
        skip = Math.max(0, end - bytes.length);
        at = Math.min(bytes.length, end);
        continue;
      }
      const frame = frameAt(bytes, at);
      const isSound = frame !== null && isFollowed(bytes, at + frame.bytes, isLast);
      if (isSound === null) break;
      if (isSound) groups.push(...addFrame(bytes, at, frame));
      at += isSound ? frame.bytes : 1;
    }
    return { used: at, groups };
  }

  function addBytes(bytes: Uint8Array, isLast: boolean): Mp3Group[] {
    const skipped = Math.min(skip, bytes.length);
    skip -= skipped;
    const all = joined([rest, bytes.subarray(skipped)]);
    const { used, groups } = take(new Bytes(all), isLast);
    rest = all.slice(used);
    return groups;
  }

  return {
    add: (bytes) => addBytes(bytes, false),
    end: () => [...addBytes(new Uint8Array(0), true), ...closeGroup()],
  };
}

/** Returns whether a frame can be trusted: another one follows it, a tag or the end. null: what follows is not there yet. */
function isFollowed(bytes: Bytes, next: number, isLast: boolean): boolean | null {
  if (next + HEADER_BYTES <= bytes.length) return frameAt(bytes, next) !== null || isTag(bytes, next);
  return isLast ? next <= bytes.length : null;
}

/** Tags of other kinds at the end of a file. */
function isTag(bytes: Bytes, at: number): boolean {
  return ['TAG', 'ID3', 'APE'].includes(bytes.text(at, 3));
}
