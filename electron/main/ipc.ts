import { type BrowserWindow, type IpcMainInvokeEvent, ipcMain, type WebFrameMain } from 'electron';
import { appError } from '../../shared/contract/app-error.ts';
import { EVENTS, type EventData, type EventName, type Reply } from '../../shared/contract/contract.ts';
import type { Logger } from '../engine/ports/logger.ts';
import { answerCall, type CallHandler } from './answer-call.ts';
import { APP_ORIGIN } from './asset-lookup.ts';

// The preload has the same two names; it may import nothing but the contract.
const CALL_CHANNEL = 'mediadesk:call';
const EVENT_CHANNEL = 'mediadesk:event';

export interface IpcOptions {
  /** The one window that may call, or null while there is none. */
  window(): BrowserWindow | null;
  handle: CallHandler;
  logger: Logger;
}

/** True for the top frame of our own window while it shows our own page, and for nothing else. */
function isTrusted(frame: WebFrameMain | null, window: BrowserWindow | null): boolean {
  if (frame === null || window === null || window.isDestroyed()) return false;
  return frame === window.webContents.mainFrame && frame.parent === null && frame.origin === APP_ORIGIN;
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
