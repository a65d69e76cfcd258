import { describe, expect, it } from 'vitest';
import { saveStatus } from '../../../../../../renderer/features/library/inspector/save-status.ts';
import { appError } from '../../../../../../shared/contract/app-error.ts';
import type { ErrorCode } from '../../../../../../shared/contract/errors/error-catalog.ts';

const clean = {
  busy: null,
  isDirty: false,
  error: null,
  gone: null,
  problems: {},
  outcome: null,
  detail: {},
  isReachable: true,
  isSoon: false,
} as const;
const error = (code: ErrorCode) => appError(code).toData();
const waiting = (code: ErrorCode | null) => ({
  ...clean,
  detail: { isPending: true, pendingReason: code === null ? null : error(code) },
});

describe('the status line of the inspector', () => {
  it('shows whether edits are unsaved, being saved or saved, and nothing without edits', () => {
    expect(saveStatus(clean)).toMatchObject({ tone: 'none', text: '' });
    expect(saveStatus({ ...clean, isDirty: true })).toMatchObject({ text: 'Not saved yet' });
    expect(saveStatus({ ...clean, isDirty: true, busy: 'saving' })).toMatchObject({ text: 'Saving…' });
    expect(saveStatus({ ...clean, outcome: 'saved' })).toMatchObject({ tone: 'good', text: 'Saved' });
  });

  it.each<[ErrorCode | null, string]>([
    ['network.unreachable', 'Sent when you’re online.'],
    ['network.gateway', 'Sent when the library can be reached.'],
    ['api.read-only', 'Sent after the library’s maintenance.'],
    ['sign-in.required', 'Sent when you sign in.'],
    ['edit.conflict', 'An earlier edit of this item needs your decision.'],
    ['api.server-error', 'Mediadesk sends it automatically.'],
    [null, 'Mediadesk sends it automatically.'],
  ])('states that an edit is stored on this computer, and when it is sent: %s', (code, when) => {
    expect(saveStatus(waiting(code)).text).toBe(`Saved on this computer. ${when}`);
  });

  it('shows an edit that was stored a moment ago as being saved, unless a reason to wait is known', () => {
    expect(saveStatus({ ...waiting(null), isSoon: true })).toMatchObject({ tone: 'busy', text: 'Saving…' });
    const offline = { ...waiting('network.unreachable'), isSoon: true };
    expect(saveStatus(offline)).toMatchObject({ tone: 'wait' });
    expect(saveStatus({ ...waiting(null), isSoon: true, isReachable: false })).toMatchObject({ tone: 'wait' });
  });

  it('states that an edit is sent later when the library can’t be reached', () => {
    expect(saveStatus({ ...waiting(null), isReachable: false }).text).toContain(
      'Sent when the library can be reached.',
    );
  });

  it('states why an edit is not saved', () => {
    const failed = (code: ErrorCode) => saveStatus({ ...clean, isDirty: true, error: error(code) }).text;
    expect(failed('api.forbidden')).toBe('Not saved: you don’t have permission to do this in this library.');
    expect(failed('api.invalid')).toBe('Not saved: check the marked fields.');
    expect(saveStatus({ ...clean, isDirty: true, gone: error('api.not-found') }).text).toContain('no longer has');
    expect(saveStatus({ ...clean, isDirty: true, problems: { title: 'x' } }).text).toContain('check the marked fields');
  });
});
