import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  notify,
  notifyWithAction,
  showError,
  useMessages,
  warn,
} from '../../../../../../renderer/features/common/state/messages-store.ts';
import { CallError } from '../../../../../../renderer/kit/bridge/bridge.ts';
import { appError } from '../../../../../../shared/contract/app-error.ts';
import { ERROR_CATALOG } from '../../../../../../shared/contract/errors/error-catalog.ts';

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

  it('show the answer of the library instead of a next step that refers to details, which messages do not have', () => {
    const details = { status: 422, errors: ['title: is too long'] };
    showError(new CallError(appError('api.invalid', { details }).toData()));
    showError(new CallError(appError('api.forbidden', { details }).toData()));
    const steps = useMessages.getState().messages.map(({ nextStep }) => nextStep);
    expect(steps).toEqual(['title: is too long', ERROR_CATALOG['api.forbidden'].nextStep]);
  });

  it('end, also those with a button', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    notify('Copied.');
    notifyWithAction('Moved 1 item.', { label: 'Undo', hint: '', run: () => undefined }, 20_000);
    warn('Refused.', null);
    vi.advanceTimersByTime(12_000);
    expect(texts()).toEqual(['Moved 1 item.']);
    vi.advanceTimersByTime(8_000);
    expect(texts()).toEqual([]);
  });

  it('are three at most', () => {
    for (const text of ['1', '2', '3', '4']) notify(text);
    expect(texts()).toEqual(['2', '3', '4']);
  });
});
