import { describe, expect, it } from 'vitest';
import { ERROR_CATALOG, type ErrorCode } from '../../../../shared/contract/errors/error-catalog.ts';
import { offersRetry } from '../../../../shared/model/uploads/retry-offer.ts';
import { UPLOAD_STATES } from '../../../../shared/model/uploads/upload-states.ts';

const error = (code: string) => ({ code, message: '', nextStep: null, details: null });
const row = (state: (typeof UPLOAD_STATES)[number], code: string | null = null) => ({
  state,
  error: code === null ? null : error(code),
  followUps: [],
});

describe('a retry is offered', () => {
  it('for failures that the user or time can resolve, and for no others', () => {
    for (const [code, { disposition }] of Object.entries(ERROR_CATALOG)) {
      const isOpen = disposition !== 'permanent' && code !== 'upload.duplicate';
      expect({ code, offered: offersRetry(row('failed', code)) }).toEqual({ code, offered: isOpen });
    }
  });

  it('for each failure whose next step mentions it', () => {
    for (const [code, { nextStep }] of Object.entries(ERROR_CATALOG)) {
      if (!/\bretry\b/i.test(nextStep ?? '') || code.startsWith('source.')) continue;
      expect({ code, offered: offersRetry(row('failed', code)) }).toEqual({ code, offered: true });
    }
  });

  it.each<[ErrorCode, boolean]>([
    ['api.server-error', true],
    ['file.drive-gone', true],
    ['network.unreachable', false],
    ['api.read-only', false],
    ['keychain.locked', false],
    ['sign-in.required', false],
  ])('while an upload waits with the error %s (offered: %s)', (code, isOffered) => {
    expect(offersRetry(row('waiting', code))).toBe(isOffered);
  });

  it('for a failed follow-up of a complete upload when its error can be resolved', () => {
    const complete = (code: string) => ({
      ...row('complete'),
      followUps: [{ state: 'failed' as const, error: error(code) }],
    });
    expect(offersRetry(complete('source.folder-missing'))).toBe(true);
    expect(offersRetry(complete('source.is-link'))).toBe(false);
  });

  it('for waiting, failed and cancelled uploads only', () => {
    expect(UPLOAD_STATES.filter((state) => offersRetry(row(state)))).toEqual(['waiting', 'failed', 'cancelled']);
  });
});
