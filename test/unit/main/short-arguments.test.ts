import { describe, expect, it } from 'vitest';
import { shortArguments } from '../../../electron/main/short-arguments.ts';

describe('the arguments of a start', () => {
  it('stay as they are when they fit into the message to a running app', () => {
    expect(
      shortArguments(['--profile', '/p', ...Array.from({ length: 100 }, (_, index) => `/videos/${index}.mp4`)]),
    ).toBeNull();
  });

  it('lose the files, but not the options, when they are too long', () => {
    const files = Array.from({ length: 2000 }, (_, index) => `/videos/a recording ${index}.mp4`);
    expect(shortArguments(['--no-sandbox', ...files, '--profile', '/a profile', '--profile=/b'])).toEqual([
      '--no-sandbox',
      '--profile',
      '/a profile',
      '--profile=/b',
    ]);
  });

  it('fit also when one option is too long', () => {
    expect(shortArguments([`--x=${'y'.repeat(40_000)}`, '--no-sandbox'])).toEqual(['--no-sandbox']);
  });
});
