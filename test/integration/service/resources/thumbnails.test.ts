import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findTools } from '../../../../service/processing/tools/find-tools.ts';
import { createPictureMaker } from '../../../../service/processing/tools/picture-maker.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { png } from '../../../helpers/service/service-samples.ts';

const { ffmpeg, ffprobe } = findTools();

/** A picture whose four corners show its orientation: red, green, blue and white, clockwise from the upper left. */
function corners(width = 96, height = 64): Sharp {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const right = x >= width / 2;
      const below = y >= height / 2;
      pixels.set(
        below ? (right ? [0, 0, 255] : [255, 255, 255]) : right ? [0, 255, 0] : [255, 0, 0],
        (y * width + x) * 3,
      );
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

const plain = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: '#a04020' }, limitInputPixels: false });

describe('the service', () => {
  let service: ServiceProcess;
  let admin: ServiceClient;
  beforeAll(async () => {
    service = await startService({ env: { ...process.env, PATH: '/nowhere' } });
    admin = await clientFor(service);
  });
  afterAll(() => service?.stop());

  async function process_(name: string, bytes: Buffer) {
    const item = await admin.createItem(name);
    const file = await admin.processed(await admin.upload(item, name, bytes, { upload_type: 'image' }));
    const { items } = (await admin.get(`${item}/thumbs`)).body;
    const [thumb] = items;
    const answer = thumb && (await fetch(thumb.content_url));
    const type = answer?.headers.get('content-type') as string | undefined;
    const content = answer && Buffer.from(await answer.arrayBuffer());
    return { file, thumb, type, content, count: items.length as number };
  }

  test('scales a large picture down to 640 pixels and keeps its proportions, without ffmpeg', async () => {
    const { file, thumb, type, content } = await process_('a.jpg', await plain(3000, 1000).jpeg().toBuffer());
    expect(file).toMatchObject({ status: 'complete', type: 'image', width: 3000, height: 1000 });
    expect(type).toBe('image/jpeg');
    expect(thumb).toMatchObject({ width: 640, height: 213 });
    expect(await sharp(content).metadata()).toMatchObject({ format: 'jpeg', width: 640, height: 213 });
  });

  test.each([
    ['jpg', (picture: Sharp) => picture.jpeg()],
    ['progressive.jpg', (picture: Sharp) => picture.jpeg({ progressive: true })],
    ['cmyk.jpg', (picture: Sharp) => picture.toColourspace('cmyk').jpeg()],
    ['gray.jpg', (picture: Sharp) => picture.greyscale().jpeg()],
    ['png', (picture: Sharp) => picture.png()],
    ['interlaced.png', (picture: Sharp) => picture.png({ progressive: true })],
    ['palette.png', (picture: Sharp) => picture.png({ palette: true })],
    ['deep.png', (picture: Sharp) => picture.toColourspace('rgb16').png()],
    ['webp', (picture: Sharp) => picture.webp()],
    ['gif', (picture: Sharp) => picture.gif()],
    ['tiff', (picture: Sharp) => picture.tiff()],
    ['deep.tiff', (picture: Sharp) => picture.toColourspace('rgb16').tiff({ compression: 'lzw' })],
  ])('makes a JPEG in sRGB of a picture in %s', async (kind, encode) => {
    const { file, content } = await process_(`a.${kind}`, await encode(plain(80, 60)).toBuffer());
    expect(file.status).toBe('complete');
    expect(await sharp(content).metadata()).toMatchObject({ format: 'jpeg', space: 'srgb', width: 80, height: 60 });
    const [red = 0, green = 0, blue = 0] = await sharp(content).raw().toBuffer();
    if (kind === 'gray.jpg') expect(red === green && green === blue).toBe(true);
    else expect(Math.max(Math.abs(red - 0xa0), Math.abs(green - 0x40), Math.abs(blue - 0x20))).toBeLessThan(40);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('rotates a picture upright for orientation %i', async (orientation) => {
    const shot = await corners().withMetadata({ orientation }).png().toBuffer();
    const { thumb, content } = await process_('a.png', shot);
    const expected = sharp(shot).autoOrient();
    const { info, data } = await expected.raw().toBuffer({ resolveWithObject: true });
    expect(thumb).toMatchObject({ width: info.width, height: info.height });
    const made = await sharp(content).raw().toBuffer();
    for (const [x, y] of [
      [0.25, 0.25],
      [0.75, 0.25],
      [0.25, 0.75],
      [0.75, 0.75],
    ] as const) {
      const at = (Math.round(info.height * y) * info.width + Math.round(info.width * x)) * 3;
      for (const part of [0, 1, 2])
        expect(Math.abs((made[at + part] ?? -1000) - (data[at + part] ?? 0))).toBeLessThan(40);
    }
  });

  test('removes metadata, such as place and camera, from the thumbnail', async () => {
    const exif = { IFD0: { Model: 'Camera of mine' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } };
    const shot = await corners(200, 100).withExif(exif).jpeg().toBuffer();
    expect((await sharp(shot).metadata()).exif).toBeDefined();
    const { content } = await process_('a.jpg', shot);
    const { exif: left, xmp, icc, iptc, orientation } = await sharp(content).metadata();
    expect({ left, xmp, icc, iptc, orientation }).toEqual({});
    expect(content?.includes('Camera of mine')).toBe(false);
  });

  test('makes transparent areas white', async () => {
    const clear = await sharp({ create: { width: 30, height: 30, channels: 4, background: '#00000000' } })
      .png()
      .toBuffer();
    const { content } = await process_('a.png', clear);
    expect([...(await sharp(content).raw().toBuffer()).subarray(0, 3)]).toEqual([255, 255, 255]);
  });

  test('uses the first frame of an animation', async () => {
    const frames = [
      ['#ff0000', 40],
      ['#0000ff', 40],
    ] as const;
    const pictures = await Promise.all(
      frames.map(([background, size]) =>
        sharp({ create: { width: size, height: size, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const animated = await sharp(pictures, { join: { animated: true } })
      .gif()
      .toBuffer();
    expect((await sharp(animated).metadata()).pages).toBe(2);
    const { thumb, content } = await process_('a.gif', animated);
    expect(thumb).toMatchObject({ width: 40, height: 40 });
    const [red = 0, , blue = 0] = await sharp(content).raw().toBuffer();
    expect(red).toBeGreaterThan(200);
    expect(blue).toBeLessThan(50);
  });

  test('does not enlarge a picture of one pixel, and scales a line down to a height of one pixel', async () => {
    expect((await process_('a.png', await plain(1, 1).png().toBuffer())).thumb).toMatchObject({ width: 1, height: 1 });
    const strip = await process_('a.png', await plain(20_000, 2).png().toBuffer());
    expect(strip.thumb).toMatchObject({ width: 640, height: 1 });
  });

  test.each([
    ['a JPEG that was cut off', async () => (await noisy('jpeg')).subarray(0, 20_000)],
    ['a PNG that lacks data before its end mark', async () => withEnd((await noisy('png')).subarray(0, 20_000))],
    ['a PNG that is damaged in the middle', async () => damaged(await noisy('png'))],
    ['a JPEG with headers only', async () => (await noisy('jpeg')).subarray(0, 700)],
    ['a GIF with headers only', async () => Buffer.from('GIF89a\x20\0\x20\0\0\0\0', 'latin1')],
    ['a WebP that was cut off', async () => (await noisy('webp')).subarray(0, 5000)],
    ['an SVG that names a file', async () => svg('file:///etc/hostname')],
    ['an SVG behind the beginning of a PNG', async () => Buffer.concat([png().subarray(0, 8), svg('x')])],
  ])('gives the status error and no thumbnail to %s', async (_what, bytes) => {
    const { file, count } = await process_('a.png', await bytes());
    expect({ status: file.status, count }).toEqual({ status: 'error', count: 0 });
    expect(service.log()).toContain(`"file_id":${file.id}`);
  });

  test('completes a picture with too many pixels without a thumbnail, and needs less than 60 MiB of additional memory', async () => {
    const peak = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) / 1024;
    const before = peak();
    const bombs = [
      await plain(9000, 9000).png({ progressive: true, compressionLevel: 9 }).toBuffer(),
      await plain(9000, 9000).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
      await plain(9000, 9000).webp({ quality: 1, effort: 0 }).toBuffer(),
      await plain(17_000, 16_000).png({ compressionLevel: 9 }).toBuffer(),
    ];
    for (const bomb of bombs) {
      const { file, count } = await process_('bomb', bomb);
      expect({ status: file.status, count }).toEqual({ status: 'complete', count: 0 });
      expect(service.log()).toContain(`"file_id":${file.id},"reason":"It has ${file.width} × ${file.height} pixels."`);
    }
    expect(peak() - before).toBeLessThan(60);
    expect((await process_('a.png', png())).count).toBe(1);
  }, 600_000);

  test('leaves no incomplete files', () => {
    expect(readdirSync(join(service.dataDir, 'incoming'))).toEqual([]);
  });
});

test.runIf(ffmpeg && ffprobe)(
  'a video and a bitmap have a thumbnail, made from one frame, if ffmpeg exists',
  async () => {
    const service = await startService();
    try {
      const admin = await clientFor(service);
      for (const [extension, codec] of [
        ['mp4', ['-c:v', 'libx264', '-preset', 'ultrafast', '-metadata:s:v', 'title=secret']],
        ['bmp', ['-frames:v', '1']],
      ] as const) {
        const folder = mkdtempSync(join(tmpdir(), 'library-frame-'));
        const path = join(folder, `v.${extension}`);
        execFileSync(ffmpeg ?? '', ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=s=960x540:d=1:r=10', ...codec, path]);
        const item = await admin.createItem('Frame');
        const file = await admin.processed(await admin.upload(item, `v.${extension}`, readFileSync(path)));
        rmSync(folder, { recursive: true });
        expect(file.status).toBe('complete');
        const { items } = (await admin.get(`${item}/thumbs`)).body;
        expect(items).toMatchObject([{ width: 640, height: 360 }]);
        const content = Buffer.from(await (await fetch(items[0].content_url)).arrayBuffer());
        expect(await sharp(content).metadata()).toMatchObject({ format: 'jpeg', width: 640, height: 360 });
      }
    } finally {
      await service.stop();
    }
  },
  60_000,
);

describe('the process that makes pictures', () => {
  const folder = mkdtempSync(join(tmpdir(), 'library-pictures-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const never = new AbortController().signal;
  const order = (name: string) => ({ input: join(folder, name), output: join(folder, `${name}.jpg`) });

  test('answers each of several requests, also after it was stopped', async () => {
    writeFileSync(join(folder, 'good'), png(30, 20));
    const maker = createPictureMaker();
    const first = maker.make(order('good'), never);
    await first;
    maker.stop();
    const answers = await Promise.all([1, 2, 3].map(() => maker.make(order('good'), never)));
    expect(answers).toEqual(Array(3).fill({ kind: 'made', width: 30, height: 20 }));
    maker.stop();
  });

  test('that is killed during a request answers it with the reason, and a new process answers the next request', async () => {
    writeFileSync(join(folder, 'good'), png(30, 20));
    const maker = createPictureMaker();
    const interrupted = maker.make(order('good'), never);
    const next = maker.make(order('good'), never);
    await new Promise(setImmediate);
    maker.stop();
    expect(await interrupted).toMatchObject({ kind: 'none', reason: expect.stringContaining('SIGKILL') });
    expect(await next).toEqual({ kind: 'made', width: 30, height: 20 });
    maker.stop();
  });

  test('is killed at its time limit', async () => {
    writeFileSync(join(folder, 'good'), png(30, 20));
    const hasty = createPictureMaker({ limitMs: 1 });
    expect(await hasty.make(order('good'), never)).toMatchObject({ kind: 'none', reason: 'It took longer than 1 ms.' });
    hasty.stop();
  });

  test('ends when it exceeds its memory limit', async () => {
    writeFileSync(join(folder, 'large'), await plain(12_000, 9000).png().toBuffer());
    const maker = createPictureMaker({ maxResidentBytes: 1 });
    const answer = await maker.make(order('large'), never);
    expect(answer).toMatchObject({ kind: 'none', reason: expect.stringContaining('too much memory') });
    maker.stop();
  });

  test('rejects an aborted request for a picture, and makes the next one', async () => {
    const maker = createPictureMaker();
    const stop = new AbortController();
    const made = maker.make(order('good'), stop.signal);
    stop.abort(new Error('Enough.'));
    await expect(made).rejects.toThrow('Enough.');
    expect(await maker.make(order('good'), never)).toMatchObject({ kind: 'made' });
    maker.stop();
  });
});

/** A picture that does not compress, so that a cut removes pixels. */
async function noisy(format: 'jpeg' | 'png' | 'webp'): Promise<Buffer> {
  return sharp({
    create: {
      width: 300,
      height: 300,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .toFormat(format)
    .toBuffer();
}

const withEnd = (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('\0\0\0\0IEND\xae\x42\x60\x82', 'latin1')]);

function damaged(bytes: Buffer): Buffer {
  return Buffer.from(bytes).fill(7, 30_000, 34_000);
}

function svg(href: string): Buffer {
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><image href="${href}"/></svg>`);
}
