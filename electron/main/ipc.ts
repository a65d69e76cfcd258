import { type BrowserWindow, type IpcMainInvokeEvent, ipcMain, type WebFrameMain } from 'electron';
import { appError, toAppError } from '../../shared/contract/app-error.ts';
import {
  CALLS,
  type CallName,
  type CallOutput,
  EVENTS,
  type EventData,
  type EventName,
  type HandledInput,
  type Reply,
} from '../../shared/contract/contract.ts';
import type { Logger } from '../engine/ports/logger.ts';
import { APP_ORIGIN } from './asset-lookup.ts';

// The preload has the same two names; it may import nothing but the contract.
const CALL_CHANNEL = 'mediadesk:call';
const EVENT_CHANNEL = 'mediadesk:event';

/** Answers any call of the contract; throws `AppError` (or anything else, which then counts as a fault of ours). */
export type CallHandler = <N extends CallName>(name: N, input: HandledInput<N>) => Promise<CallOutput<N>>;

export interface IpcOptions {
  /** The one window that may call, or null while there is none. */
  window(): BrowserWindow | null;
  handle: CallHandler;
  logger: Logger;
}

function isCallName(name: unknown): name is CallName {
  return typeof name === 'string' && Object.hasOwn(CALLS, name);
}

/** True for the top frame of our own window while it shows our own page, and for nothing else. */
function isTrusted(frame: WebFrameMain | null, window: BrowserWindow | null): boolean {
  if (frame === null || window === null || window.isDestroyed()) return false;
  return frame === window.webContents.mainFrame && frame.parent === null && frame.origin === APP_ORIGIN;
}

/**
 * One call, from a name and data that nobody has looked at yet to a reply that keeps the contract. Never throws: an
 * error crosses as data, because Electron would reduce a thrown one to its message.
 */
export async function answerCall(
  handle: CallHandler,
  logger: Logger,
  name: unknown,
  input: unknown,
): Promise<Reply<unknown>> {
  if (!isCallName(name)) {
    const details = { call: String(name).slice(0, 100) };
    return { ok: false, error: appError('input.invalid', { message: 'There is no such call.', details }).toData() };
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

/** Serves the contract to the window. Returns how to announce events to it, and how to stop serving. */
export function serveContract({ window, handle, logger }: IpcOptions): {
  announce<N extends EventName>(name: N, data: EventData<N>): void;
  dispose(): void;
} {
  ipcMain.handle(CALL_CHANNEL, async (event: IpcMainInvokeEvent, name: unknown, input: unknown) => {
    if (!isTrusted(event.senderFrame, window())) {
      logger.warn('ipc.sender-refused', { origin: event.senderFrame?.origin ?? null });
      const error = appError('input.invalid', { message: 'This page may not talk to Mediadesk.' });
      return { ok: false, error: error.toData() } satisfies Reply<never>;
    }
    return answerCall(handle, logger, name, input);
  });
  return {
    announce(name, data) {
      const target = window();
      if (target === null || target.isDestroyed() || target.webContents.mainFrame.origin !== APP_ORIGIN) return;
      const checked = EVENTS[name].safeParse(data);
      if (checked.success) target.webContents.send(EVENT_CHANNEL, name, checked.data);
      else logger.error('ipc.event-invalid', { event: name, reason: checked.error.message });
    },
    dispose: () => ipcMain.removeHandler(CALL_CHANNEL),
  };
}
