import type { ErrorCode } from '../../../../shared/contract/error-catalog.ts';

/** Nothing failed, but it is too early to know: try again in `inMs`. `reason`: the error code that the row shows meanwhile. */
export class NotYet extends Error {
  readonly inMs: number;
  readonly reason: ErrorCode;
  constructor(inMs: number, reason: ErrorCode = 'upload.looking') {
    super('not yet');
    this.inMs = inMs;
    this.reason = reason;
  }
}
