import { beforeEach, describe, expect, it } from 'vitest';
import { notify, useMessages, warn } from '../../../../renderer/stores/app/messages-store.ts';

beforeEach(() => useMessages.setState({ announced: null, messages: [] }));
const texts = () => useMessages.getState().messages.map(({ text }) => text);

describe('messages', () => {
  it('show a repeated sentence once, as the latest message', () => {
    notify('Copied.');
    notify('Saved.');
    notify('Copied.');
    expect(texts()).toEqual(['Saved.', 'Copied.']);
    warn('Copied.', null);
    expect(texts()).toEqual(['Saved.', 'Copied.', 'Copied.']);
  });

  it('are three at most', () => {
    for (const text of ['1', '2', '3', '4']) notify(text);
    expect(texts()).toEqual(['2', '3', '4']);
  });
});
