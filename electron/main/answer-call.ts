import { appError, toAppError } from '../../shared/contract/app-error.ts';
import {
  CALLS,
  type CallName,
  type CallOutput,
  type HandledInput,
  type Reply,
} from '../../shared/contract/contract.ts';
import type { Logger } from '../engine/ports/logger.ts';

/** Answers any call of the contract; throws `AppError`. Any other error is reported as `internal`. */
export type CallHandler = <N extends CallName>(name: N, input: HandledInput<N>) => Promise<CallOutput<N>>;

function isCallName(name: unknown): name is CallName {
  return typeof name === 'string' && Object.hasOwn(CALLS, name);
}

/**
 * Answers one call: validates its name and input, calls the handler, and validates the output. Never throws: an error is
 * returned as data, because Electron would reduce a thrown one to its message.
 */
export async function answerCall(
  handle: CallHandler,
  logger: Logger,
  name: unknown,
  input: unknown,
): Promise<Reply<unknown>> {
  if (!isCallName(name)) {
    const details = { call: String(name).slice(0, 100) };
    return { ok: false, error: appError('input.invalid', { message: 'This call doesn’t exist.', details }).toData() };
  }
  try {
    const checked = CALLS[name].input.safeParse(input);
    if (!checked.success) {
      const issues = checked.error.issues.slice(0, 5).map((issue) => `${issue.path.join('.')}: ${issue.message}`);
      throw appError('input.invalid', { details: { call: name, issues } });
    }
    const output = await handle(name, checked.data as HandledInput<typeof name>);
    const answer = CALLS[name].output.safeParse(output);
    if (!answer.success) throw answer.error;
    return { ok: true, value: answer.data };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'internal') logger.error('ipc.call-failed', { call: name, reason: String(thrown) });
    return { ok: false, error: error.toData() };
  }
}
