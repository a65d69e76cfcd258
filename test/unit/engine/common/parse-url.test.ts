import { expect, it } from 'vitest';
import { parseUrl } from '../../../../electron/engine/common/parse-url.ts';

it('an address with letters outside of ASCII is one, also after many thousand others', () => {
  for (let count = 0; count < 30_000; count += 1) {
    if (parseUrl('https://bücher.example/')?.host !== 'xn--bcher-kva.example') expect.unreachable(`after ${count}`);
  }
  expect(parseUrl('https://')).toBeNull();
  expect(parseUrl('/ü', new URL('https://media.example/'))?.href).toBe('https://media.example/%C3%BC');
});
