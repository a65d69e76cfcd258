import { describe, expect, it } from 'vitest';
import {
  destinationVerdictOf,
  readStoreError,
} from '../../../../electron/engine/uploads/delivery/sender/destination-verdict.ts';
import { computingTime } from '../../../helpers/time/computing-time.ts';

const xml = (code: string, message = 'text') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;

describe('the answer of a destination', () => {
  it.each([
    // The answers of real stores, in their own formats.
    ['S3, the policy expired', 403, xml('AccessDenied', 'Invalid according to Policy: Policy expired.')],
    ['S3, the presigned URL expired', 403, xml('AccessDenied', 'Request has expired')],
    ['S3, the session token expired', 400, xml('ExpiredToken', 'The provided token has expired.')],
    [
      'S3, the clocks differ too much',
      403,
      xml('RequestTimeTooSkewed', 'The difference between the request time and ours is too large.'),
    ],
    ['OSS, the token expired', 403, xml('SecurityTokenExpired', 'no matter')],
    ['Swift, the form expired', 401, 'FormPost: Form Expired'],
    ['Swift, the form expired, as HTML', 401, '<html><h1>Unauthorized</h1><p>FormPost: Form Expired</p></html>'],
    ['JSON with a specific code', 403, '{"code":"upload_expired","message":"Too late."}'],
    ['JSON with a code inside “error”', 401, '{"error":{"code":"TokenExpired","message":"no"}}'],
    [
      'JSON with an unspecific code and a message',
      401,
      '{"error":"Unauthorized","message":"The upload token has expired."}',
    ],
    ['JSON with only a message', 403, '{"message":"Signature expired: 20260101 is now earlier"}'],
    ['a text that begins with “Expired”', 403, 'Expired link'],
  ])('means an expired destination: %s', (_, status, text) => {
    expect(destinationVerdictOf(status, text)).toBe('expired');
  });

  it.each([
    [
      'a code of another meaning, whatever the message says',
      403,
      xml('InvalidAccessKeyId', 'The request expired token policy expired'),
    ],
    ['S3, a wrong signature', 403, xml('SignatureDoesNotMatch', 'The signature does not match.')],
    [
      'S3, a file that is too large',
      400,
      xml('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size'),
    ],
    ['S3, access denied without a reason', 403, xml('AccessDenied', 'Access Denied')],
    ['an account that has expired', 403, 'Your subscription has expired on this account. Pay to continue.'],
    ['Swift, a wrong signature', 401, 'FormPost: Invalid Signature'],
    ['Swift, a file that is too large', 400, 'FormPost: max_file_size exceeded'],
    ['an expired form with a status that is not about permissions', 400, 'Form expired'],
    ['an expired form with a status that is not about permissions', 422, xml('ExpiredToken')],
    ['a folder name with the word “expired”', 403, '{"message":"The folder \\"expired\\" is locked"}'],
    ['S3, not implemented', 501, xml('NotImplemented')],
  ])('means a refusal: %s', (_, status, text) => {
    expect(destinationVerdictOf(status, text)).toBe('refused');
  });

  it.each([
    [400, xml('RequestTimeout', 'Your socket connection to the server was not read from or written to.')],
    [400, xml('IncompleteBody')],
    [499, ''],
  ])('means a closed idle connection when it is %i', (status, text) => {
    expect(destinationVerdictOf(status, text)).toBe('lost');
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
    for (const status of [400, 401, 403]) destinationVerdictOf(status, text);
    expect(isWithin()).toBe(true);
  });
});
