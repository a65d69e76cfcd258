// The simplest AVC (H.264) video that every player supports: constrained baseline, each picture independent, each macroblock
// stored as plain samples (I_PCM). The files are large, but need no encoder.

/** Bits, most significant first, with the variable-length codes of AVC. */
class BitWriter {
  readonly #bytes: number[] = [];
  #current = 0;
  #filled = 0;

  bits(value: number, count: number): this {
    for (let bit = count - 1; bit >= 0; bit -= 1) {
      this.#current = (this.#current << 1) | ((value >> bit) & 1);
      this.#filled += 1;
      if (this.#filled === 8) {
        this.#bytes.push(this.#current);
        this.#current = 0;
        this.#filled = 0;
      }
    }
    return this;
  }

  /** Unsigned Exp-Golomb code; the signed code of 0 is the same bit. */
  ue(value: number): this {
    const length = 32 - Math.clz32(value + 1);
    return this.bits(0, length - 1).bits(value + 1, length);
  }

  align(): this {
    return this.#filled === 0 ? this : this.bits(0, 8 - this.#filled);
  }

  /** The stop bit, and zeros up to a whole byte. */
  trailing(): this {
    return this.bits(1, 1).align();
  }

  take(): Buffer {
    return Buffer.from(this.#bytes.splice(0));
  }
}

const MACROBLOCK = 16;

export interface Picture {
  width: number;
  height: number;
  /** Brightness of a pixel, 16–235. */
  luma(x: number, y: number): number;
}

/** NAL unit: its header byte, and its payload with the bytes escaped that would look like a start code. */
function nalUnit(header: number, payload: Buffer): Buffer {
  const out: number[] = [header];
  let zeros = 0;
  for (const byte of payload) {
    if (zeros >= 2 && byte <= 3) {
      out.push(3);
      zeros = 0;
    }
    out.push(byte);
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return Buffer.from(out);
}

export function sequenceParameters(width: number, height: number): Buffer {
  const across = Math.ceil(width / MACROBLOCK);
  const down = Math.ceil(height / MACROBLOCK);
  const writer = new BitWriter().bits(66, 8).bits(0xc0, 8).bits(30, 8); // constrained baseline, level 3
  writer.ue(0).ue(0).ue(2).ue(1).bits(0, 1); // id, frame number of 4 bits, output order = decoding order, 1 reference
  writer
    .ue(across - 1)
    .ue(down - 1)
    .bits(1, 1)
    .bits(1, 1);
  writer.bits(1, 1).ue(0); // cropping, in pairs of pixels: left, right, top, bottom
  writer
    .ue((across * MACROBLOCK - width) / 2)
    .ue(0)
    .ue((down * MACROBLOCK - height) / 2);
  return nalUnit(0x67, writer.bits(0, 1).trailing().take());
}

export function pictureParameters(): Buffer {
  const writer = new BitWriter().ue(0).ue(0).bits(0, 2).ue(0).ue(0).ue(0).bits(0, 3);
  writer.ue(0).ue(0).ue(0).bits(0b100, 3); // quantisers at 0, deblocking set per slice
  return nalUnit(0x68, writer.trailing().take());
}

/** Returns one picture as an instantaneous decoder refresh. `index` only makes consecutive pictures differ. */
export function intraPicture(picture: Picture, index: number): Buffer {
  const writer = new BitWriter();
  writer
    .ue(0)
    .ue(7)
    .ue(0)
    .bits(0, 4)
    .ue(index % 2); // first macroblock, all-intra slice, parameters, frame number, id
  writer.bits(0, 2).ue(0).ue(1); // no long-term reference, quantiser unchanged, no deblocking
  const parts: Buffer[] = [];
  const across = Math.ceil(picture.width / MACROBLOCK);
  const down = Math.ceil(picture.height / MACROBLOCK);
  for (let block = 0; block < across * down; block += 1) {
    writer.ue(25).align(); // I_PCM
    const samples = Buffer.alloc(MACROBLOCK * MACROBLOCK * 1.5, 128);
    const left = (block % across) * MACROBLOCK;
    const top = Math.floor(block / across) * MACROBLOCK;
    for (let y = 0; y < MACROBLOCK; y += 1) {
      for (let x = 0; x < MACROBLOCK; x += 1) samples[y * MACROBLOCK + x] = picture.luma(left + x, top + y);
    }
    parts.push(writer.take(), samples);
  }
  parts.push(writer.trailing().take());
  return nalUnit(0x65, Buffer.concat(parts));
}
