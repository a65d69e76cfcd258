// Silence as MPEG-1 layer III frames after an ID3v2.3 title: for machines without an encoder.

const FRAME_BYTES = 384; // 144 · 128 kbit/s ÷ 48 kHz, without a rest
const FRAME_SAMPLES = 1152;
const SAMPLE_RATE = 48_000;

/** Sync, MPEG-1 layer III without checksum, 128 kbit/s, 48 kHz, stereo. Side information of zeros means silence. */
const FRAME_HEADER = [0xff, 0xfb, 0x94, 0x04];

function id3Title(title: string): Buffer {
  const text = Buffer.concat([Buffer.from([1, 0xff, 0xfe]), Buffer.from(title, 'utf16le')]);
  const frame = Buffer.alloc(10);
  frame.write('TIT2', 0, 'latin1');
  frame.writeUInt32BE(text.length, 4);
  const size = frame.length + text.length;
  const head = Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, 0, 0, (size >> 7) & 0x7f, size & 0x7f]);
  return Buffer.concat([head, frame, text]);
}

/** Returns an MP3 file that lasts `seconds`, rounded up to a frame of 24 ms. */
export function silentMp3(title: string, seconds: number): Buffer {
  const frames = Math.ceil((seconds * SAMPLE_RATE) / FRAME_SAMPLES);
  const sound = Buffer.alloc(frames * FRAME_BYTES);
  for (let frame = 0; frame < frames; frame += 1) sound.set(FRAME_HEADER, frame * FRAME_BYTES);
  return Buffer.concat([id3Title(title), sound]);
}
