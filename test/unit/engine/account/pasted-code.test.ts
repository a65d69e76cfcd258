import { describe, expect, it } from 'vitest';
import { readPastedCode } from '../../../../electron/engine/account/pasted-code.ts';

const read = (text: string) => readPastedCode(text, 'st12345678');

describe('the text that a user copied from the page of a sign-in', () => {
  it.for([
    ['the title', 'Success code=a%2Fb&state=st12345678', 'a/b'],
    ['the title without its first word', 'code=abc&state=st12345678', 'abc'],
    ['a title that was cut off behind the code', 'Success code=abc', 'abc'],
    ['the code alone, with blanks around it', '  abc-_~.123\n', 'abc-_~.123'],
  ] as const)('gives the code when it is %s', ([, text, code]) => {
    expect(read(text)).toEqual({ kind: 'code', code });
  });

  it('gives the error of the library when the title contains one', () => {
    expect(read('Denied error=access_denied&error_description=No%20thanks&state=st12345678')).toEqual({
      kind: 'error',
      error: 'access_denied',
      description: 'No thanks',
    });
  });

  it('is rejected when its state is that of another sign-in', () => {
    expect(read('Success code=abc&state=another')).toBe('mismatch');
  });

  it.for(['', '   ', 'Success', 'two words', 'code=', 'Success code=&state=st12345678', 'a=b', 'x'.repeat(5000)])(
    'gives nothing when it contains no code: “%s”',
    (text) => {
      expect(read(text)).toBeNull();
    },
  );
});
