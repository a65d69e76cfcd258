import { ADMIN_CALLS } from '../../../shared/contract/admin/admin-calls.ts';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { CallName, CallOutput } from '../../../shared/contract/contract.ts';
import { ERROR_CATALOG, type ErrorCode } from '../../../shared/contract/errors/error-catalog.ts';

/** One function for each call of the window. */
export type Handlers = { [N in CallName]: (input: never) => CallOutput<N> | Promise<CallOutput<N>> };

/** An error of the engine. */
export class PreviewError extends Error {
  readonly data: AppErrorData;
  constructor(code: ErrorCode, details: Record<string, unknown> | null = null) {
    super(code);
    const { message, nextStep } = ERROR_CATALOG[code];
    this.data = { code, message, nextStep, details };
  }
}

/** The calls of administrators: the previewed account is none. */
export function administration(): Pick<Handlers, keyof typeof ADMIN_CALLS> {
  const refuse = (): never => {
    throw new PreviewError('admin.only');
  };
  const names = Object.keys(ADMIN_CALLS) as (keyof typeof ADMIN_CALLS)[];
  return Object.fromEntries(names.map((name) => [name, refuse] as const)) as unknown as ReturnType<
    typeof administration
  >;
}
