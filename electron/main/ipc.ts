import { type BrowserWindow, type IpcMainInvokeEvent, ipcMain, type WebFrameMain } from 'electron';
import { appError } from '../../shared/contract/app-error.ts';
import { EVENTS, type EventData, type EventName, type Reply } from '../../shared/contract/contract.ts';
import { CALL_CHANNEL, EVENT_CHANNEL } from '../../shared/contract/ipc-channels.ts';
import type { Logger } from '../engine/ports/logger.ts';
import { answerCall, type CallHandler } from './answer-call.ts';
import { APP_ORIGIN } from './asset-lookup.ts';

export interface IpcOptions {
  /** Returns the only window that may call, or null without a window. */
  window(): BrowserWindow | null;
  handle: CallHandler;
  logger: Logger;
}

/** Returns true only for the top frame of our own window while it shows our own page. */
function isTrusted(frame: WebFrameMain | null, window: BrowserWindow | null): boolean {
  if (frame === null || window === null || window.isDestroyed()) return false;
  return frame === window.webContents.mainFrame && frame.parent === null && frame.origin === APP_ORIGIN;
}

/** Serves the contract to the window. Returns functions that send events and that stop serving. */
export function serveContract({ window, handle, logger }: IpcOptions): {
  announce<N extends EventName>(name: N, data: EventData<N>): void;
  dispose(): void;
} {
  ipcMain.handle(CALL_CHANNEL, async (event: IpcMainInvokeEvent, name: unknown, input: unknown) => {
    if (!isTrusted(event.senderFrame, window())) {
      logger.warn('ipc.sender-refused', { origin: event.senderFrame?.origin ?? null });
      const error = appError('input.invalid', { message: 'This page isn’t allowed to use Mediadesk.' });
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
