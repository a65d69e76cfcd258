import { create } from 'zustand';
import type { AppErrorData } from '../../shared/contract/app-error.ts';
import { toErrorData } from '../text/errors.ts';

export interface Message {
  key: number;
  tone: 'good' | 'bad';
  text: string;
  nextStep: string | null;
}

interface MessagesState {
  /** Read aloud by screen readers, seen by nobody. */
  spoken: string;
  /** Shown for a while at the bottom of the window. */
  messages: Message[];
}

export const useMessages = create<MessagesState>(() => ({ spoken: '', messages: [] }));

let nextKey = 1;

export function say(sentence: string): void {
  useMessages.setState({ spoken: sentence });
}

/** A short word that something was done. */
export function tell(text: string): void {
  add({ tone: 'good', text, nextStep: null });
}

/** Why something that was asked for is not done, and what to do instead. */
export function warn(text: string, nextStep: string | null): void {
  add({ tone: 'bad', text, nextStep });
}

/** An error of a command that has no place of its own on the screen. */
export function report(thrown: unknown): void {
  const error: AppErrorData = toErrorData(thrown);
  add({ tone: 'bad', text: error.message, nextStep: error.nextStep });
}

function add(message: Omit<Message, 'key'>): void {
  const entry = { ...message, key: nextKey++ };
  useMessages.setState((state) => ({
    messages: [...state.messages.slice(-2), entry],
    spoken: entry.nextStep === null ? entry.text : `${entry.text} ${entry.nextStep}`,
  }));
}

export function dismissMessage(key: number): void {
  useMessages.setState((state) => ({ messages: state.messages.filter((message) => message.key !== key) }));
}

/** Runs a command whose failure is reported in a message. */
export async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    report(thrown);
  }
}
