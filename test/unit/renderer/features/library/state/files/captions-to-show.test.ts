import { describe, expect, it } from 'vitest';
import { captionsToShow } from '../../../../../../../renderer/features/library/state/files/player-store.ts';

const german = { id: '1', language: 'de' };
const english = { id: '2', language: 'en-GB' };
const unnamed = { id: '3', language: null };

describe('the captions of a recording', () => {
  it('are those in the chosen language, in another form of it, or the first ones', () => {
    const all = [german, english, unnamed];
    expect(captionsToShow(all, { isOn: true, language: 'de' })).toBe(german);
    expect(captionsToShow(all, { isOn: true, language: 'en-GB' })).toBe(english);
    expect(captionsToShow(all, { isOn: true, language: 'en' })).toBe(english);
    expect(captionsToShow(all, { isOn: true, language: 'fr' })).toBe(german);
    expect(captionsToShow(all, { isOn: true, language: null })).toBe(german);
    expect(captionsToShow([unnamed, german], { isOn: true, language: null })).toBe(unnamed);
  });

  it('are not shown when they are turned off, or when there are none', () => {
    expect(captionsToShow([german], { isOn: false, language: 'de' })).toBeNull();
    expect(captionsToShow([], { isOn: true, language: 'de' })).toBeNull();
  });
});
