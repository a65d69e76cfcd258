import type { AppErrorData } from '../../shared/contract/app-error.ts';
import type {
  CallInput,
  CallName,
  CallOutput,
  EventData,
  EventName,
  MediadeskBridge,
} from '../../shared/contract/contract.ts';

declare global {
  interface Window {
    readonly mediadesk: MediadeskBridge;
  }
}

/** What `call` throws: the engine's error as it came, so that a screen can show its sentence and its next step. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly data: AppErrorData;

  constructor(data: AppErrorData) {
    super(data.message);
    this.data = data;
  }
}

/** Asks the engine or the shell; resolves with the value, rejects with a `CallError`. */
export async function call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>> {
  const reply = await window.mediadesk.call(name, input);
  if (reply.ok) return reply.value;
  throw new CallError(reply.error);
}

/** Subscribes to an event; the function returned ends the subscription and belongs to the caller. */
export function on<N extends EventName>(name: N, listener: (data: EventData<N>) => void): () => void {
  return window.mediadesk.on(name, listener);
}

export function pathForFile(file: File): string {
  return window.mediadesk.pathForFile(file);
}

/** True where ⌘ is the command key. */
export function isMac(): boolean {
  return window.mediadesk.platform === 'darwin';
}

/** `⌘` or `Ctrl+`. */
export function modKey(): string {
  return isMac() ? '⌘' : 'Ctrl+';
}
