import { crc32, deflateSync } from 'node:zlib';

/** Returns a WAV file with a tone that fades in and out: mono, 8 kHz, 16 bit. */
export function toneWav(seconds: number, hertz: number): Buffer {
  const rate = 8000;
  const samples = Math.round(seconds * rate);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + samples * 2, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(samples * 2, 40);
  const body = Buffer.alloc(samples * 2);
  for (let index = 0; index < samples; index += 1) {
    const fade = Math.min(1, index / 800, (samples - index) / 800);
    body.writeInt16LE(Math.round(9000 * fade * Math.sin((2 * Math.PI * hertz * index) / rate)), index * 2);
  }
  return Buffer.concat([head, body]);
}

type Rgb = readonly [number, number, number];

/** A PNG picture: a diagonal gradient of two colors with soft rings. */
export function blendPng(width: number, height: number, from: Rgb, to: Rgb): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y += 1) {
    const row = y * (1 + width * 3);
    for (let x = 0; x < width; x += 1) {
      const share = (x / width + y / height) / 2;
      const ring = 12 * Math.sin(Math.hypot(x - width * 0.7, y - height * 0.4) / 14);
      for (let channel = 0; channel < 3; channel += 1) {
        const value = (from[channel] ?? 0) * (1 - share) + (to[channel] ?? 0) * share + ring;
        rows[row + 1 + x * 3 + channel] = Math.max(0, Math.min(255, Math.round(value)));
      }
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 6 })),
    chunk('IEND'),
  ]);
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const framed = Buffer.alloc(12 + data.length);
  framed.writeUInt32BE(data.length, 0);
  framed.write(type, 4, 'latin1');
  data.copy(framed, 8);
  framed.writeUInt32BE(crc32(framed.subarray(4, 8 + data.length)), 8 + data.length);
  return framed;
}

/** Returns a PDF of one page with a heading and a few lines, in plain Latin text. */
export function pagePdf(heading: string, lines: readonly string[]): Buffer {
  const text = [
    `BT /F1 26 Tf 72 740 Td (${pdfText(heading)}) Tj ET`,
    ...lines.map((line, index) => `BT /F1 13 Tf 72 ${690 - index * 22} Td (${pdfText(line)}) Tj ET`),
  ].join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = body.length;
  body += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  body += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
  return Buffer.from(body, 'latin1');
}

function pdfText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '-').replace(/[\\()]/g, '\\$&');
}
