import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { captionsFormat, captionsText, srtToVtt } from '../../../../service/processing/headers/captions.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { mp4, srt } from '../../../helpers/service/service-samples.ts';

const CUE = '1\n00:00:01,000 --> 00:00:02,000\n';
const vtt = (text: string) => [...srtToVtt(text)].join('');

test.each([
  ['WEBVTT', 'vtt'],
  ['\ufeffWEBVTT\n\n', 'vtt'],
  ['WEBVTTX', undefined],
  ['<tt xmlns="x">', 'dfxp'],
  ['<?xml version="1.0"?>\n<!-- a --> <!-- b -->\n<ttml:tt>', 'dfxp'],
  ['<?xml version="1.0"?><?xml-stylesheet href="a.xsl"?><tt>', 'dfxp'],
  ['<?xml version="1.0"?>\n<!DOCTYPE tt PUBLIC "-//W3C//DTD DFXP//EN" "http://dtd.example/tt.dtd">\n<tt>', 'dfxp'],
  ['<!DOCTYPE tt [<!ENTITY a "aaaa">]><tt>', undefined],
  ['<?never closed', undefined],
  ['<!DOCTYPE never closed', undefined],
  ['<!-- never closed <tt>', undefined],
  ['<ttx>', undefined],
  [CUE, 'srt'],
  ['1\r00:00:01.5 --> 0:00:02,000 X1:7\rx', 'srt'],
  ['1\r\n000:00:01.5 -->  00:00:02,000 X1:7\r\nx', 'srt'],
  ['text --> text', undefined],
])('the format of %j is %s', (text, format) => {
  expect(captionsFormat(text)).toBe(format);
});

test.each([
  ['Hello & <i>you</i> &amp; <font color="red">all</font>', 'Hello &amp; <i>you</i> &amp; all'],
  ['1 < 2 and <b>3</b> > 2', '1 &lt; 2 and <b>3</b> > 2'],
  ['a --> b', 'a → b'],
  ['<<i>', '&lt;<i>'],
])('the line %j is converted to %j', (line, shown) => {
  expect(vtt(`${CUE}${line}\n`)).toBe(`WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n${shown}\n`);
});

test('the conversion of SRT to WebVTT separates cues with blank lines, and drops cues without text', () => {
  expect(vtt(srt)).toBe(
    'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nHello &amp; <i>welcome</i>\n\n00:00:03.000 --> 00:00:04.000\nSecond line\n',
  );
  expect(vtt(`${CUE}\n2\n00:00:03,000 --> 00:00:04,000\nx`)).toBe('WEBVTT\n\n00:00:03.000 --> 00:00:04.000\nx\n');
});

const SPOKEN = `${CUE}Grüße\n`;
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();
const FROM_WINDOWS: [string, Buffer][] = [
  ['UTF-8', Buffer.from(SPOKEN)],
  ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${SPOKEN}`)],
  ['UTF-16 (little endian)', Buffer.from(`\ufeff${SPOKEN}`, 'utf16le')],
  ['UTF-16 (big endian)', bigEndian(`\ufeff${SPOKEN}`)],
  ['Windows-1252', Buffer.from(SPOKEN, 'latin1')],
];

test('captions in Windows-1252 are read with their quotation marks and the euro sign', () => {
  expect(captionsText(Buffer.from([0x93, 0x80, 0xfc, 0x94]))).toBe('“€ü”');
});

test.each(FROM_WINDOWS)('SRT in %s is converted to WebVTT with the same characters', (_encoding, bytes) => {
  expect(vtt(captionsText(bytes))).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nGrüße\n');
});

describe('the service', () => {
  let service: ServiceProcess;
  let admin: ServiceClient;
  beforeAll(async () => {
    service = await startService({ env: { ...process.env, PATH: '/nowhere' } });
    admin = await clientFor(service);
  });
  afterAll(() => service?.stop());

  test.each([
    ['SRT', Buffer.from(`\ufeff${SPOKEN}`, 'utf16le'), 'complete'],
    ['DFXP', bigEndian('\ufeff<?xml version="1.0" encoding="UTF-16"?><tt></tt>'), 'complete'],
    ['WebVTT', Buffer.from('\ufeffWEBVTT\n', 'utf16le'), 'error'],
  ])('accepts captions in UTF-16, except WebVTT, which must be UTF-8: %s', async (_format, bytes, status) => {
    const item = await admin.createItem('Captioned');
    const id = (await admin.upload(item, 'v.mp4', mp4())).split('/').at(-1);
    const file = await admin.upload(item, 'c.srt', bytes, { encoded_from_id: id, upload_type: 'captions' });
    await expect.poll(async () => (await admin.get(file)).body.status).toBe(status);
  });

  const many = (piece: string, bytes = 10_000_000) => piece.repeat(Math.floor(bytes / piece.length));

  test.each([
    [
      'comments that can be split in exponentially many ways',
      `<!---->${many('\t<!--l><tt\t-->', 400)}\t><tt\t`,
      'error',
    ],
    ['less-than signs', CUE + many('<'), 'complete'],
    ['ampersands', CUE + many('&'), 'complete'],
    ['cues', many(`${CUE}x\n\n`), 'complete'],
    ['line ends', CUE + many('\n'), 'complete'],
    ['arrows', many('a --> b\n'), 'error'],
  ])(
    'answers other requests within 2 s when it processes 10 MB of captions with %s',
    { timeout: 60_000 },
    async (_what, text, status) => {
      const item = await admin.createItem('Captioned');
      const id = (await admin.upload(item, 'v.mp4', mp4())).split('/').at(-1);
      const file = await admin.upload(item, 'v.srt', Buffer.from(text), {
        encoded_from_id: id,
        upload_type: 'captions',
      });
      let longest = 0;
      for (let done = false; !done; ) {
        const startedAt = performance.now();
        done = (await admin.get(file)).body.status !== 'processing';
        longest = Math.max(longest, performance.now() - startedAt);
      }
      expect((await admin.get(file)).body.status).toBe(status);
      expect(longest).toBeLessThan(2000);
    },
  );
});
