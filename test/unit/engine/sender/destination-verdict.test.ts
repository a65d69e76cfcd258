import { describe, expect, it } from 'vitest';
import { readStoreError, verdictOf } from '../../../../electron/engine/uploads/delivery/sender/destination-verdict.ts';
import { computingTime } from '../../../helpers/time/computing-time.ts';

const xml = (code: string, message = 'text') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;

describe('the answer of a destination', () => {
  it.each([
    // The answers of real stores, in their own formats.
    ['S3, policy', 403, xml('AccessDenied', 'Invalid according to Policy: Policy expired.')],
    ['S3, presigned', 403, xml('AccessDenied', 'Request has expired')],
    ['S3, session token', 400, xml('ExpiredToken', 'The provided token has expired.')],
    ['S3, clocks', 403, xml('RequestTimeTooSkewed', 'The difference between the request time and ours is too large.')],
    ['OSS, token', 403, xml('SecurityTokenExpired', 'no matter')],
    ['Swift FormPost', 401, 'FormPost: Form Expired'],
    ['Swift, as HTML', 401, '<html><h1>Unauthorized</h1><p>FormPost: Form Expired</p></html>'],
    ['JSON, code', 403, '{"code":"upload_expired","message":"Too late."}'],
    ['JSON, inner error', 401, '{"error":{"code":"TokenExpired","message":"no"}}'],
    ['JSON, unspecific code', 401, '{"error":"Unauthorized","message":"The upload token has expired."}'],
    ['JSON, only a message', 403, '{"message":"Signature expired: 20260101 is now earlier"}'],
    ['text, the other way round', 403, 'Expired link'],
  ])('means an expired destination: %s', (_, status, text) => {
    expect(verdictOf(status, text)).toBe('expired');
  });

  it.each([
    [
      'another code decides, whatever the message',
      403,
      xml('InvalidAccessKeyId', 'The request expired token policy expired'),
    ],
    ['wrong signature', 403, xml('SignatureDoesNotMatch', 'The signature does not match.')],
    ['too large', 400, xml('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size')],
    ['unspecific without a reason', 403, xml('AccessDenied', 'Access Denied')],
    ['an account that has expired', 403, 'Your subscription has expired on this account. Pay to continue.'],
    ['Swift, wrong signature', 401, 'FormPost: Invalid Signature'],
    ['Swift, too large', 400, 'FormPost: max_file_size exceeded'],
    ['a text of a status that says nothing of rights', 400, 'Form expired'],
    ['a text of a status that says nothing of rights', 422, xml('ExpiredToken')],
    ['a name with the word', 403, '{"message":"The folder \\"expired\\" is locked"}'],
    ['not implemented', 501, xml('NotImplemented')],
  ])('means a refusal: %s', (_, status, text) => {
    expect(verdictOf(status, text)).toBe('refused');
  });

  it.each([
    [400, xml('RequestTimeout', 'Your socket connection to the server was not read from or written to.')],
    [400, xml('IncompleteBody')],
    [499, ''],
  ])('means a closed idle connection when it is %i', (status, text) => {
    expect(verdictOf(status, text)).toBe('lost');
  });

  it.each([
    ['<Error><Code></Code></Error>', null],
    [`<Error><Code>${'x'.repeat(200)}</Code></Error>`, null],
    ['<Error><Code>two words</Code></Error>', null],
    ['<Error><Code>Cut', null],
    ['{"code":403,"message":"x"}', null],
    ['{"code":{"code":"x"}}', null],
    ['{"code":"A.b-c:d_1"}', 'A.b-c:d_1'],
    ['[{"code":"x"}]', null],
    ['  <Error><Code> Spaced </Code></Error>', 'Spaced'],
    ['Say <Code>x</Code>', null],
  ])('with the text %j has the code %j', (text, code) => {
    expect(readStoreError(text).code).toBe(code);
  });

  it.each([
    ['<'.repeat(65_536)],
    [`{"error":${'['.repeat(60_000)}`],
    [`{"message":"${'form '.repeat(13_000)}"}`],
    ['form'.repeat(16_000)],
    [`expired${' '.repeat(65_000)}`],
    ['<Code>'.repeat(10_000)],
  ])('is classified within 250 ms of computing time, whatever its text is (%#)', (text) => {
    const isWithin = computingTime(250);
    for (const status of [400, 401, 403]) verdictOf(status, text);
    expect(isWithin()).toBe(true);
  });
});
