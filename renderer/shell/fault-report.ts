import type { RenderFault } from '../kit/components/status/error-boundary.tsx';
import { isoOf } from '../kit/text/format.ts';
import { texts } from './texts.ts';

interface FaultFacts extends RenderFault {
  /** The name of the view or dialog. */
  place: string;
  /** Of Mediadesk; null before the shell has reported it. */
  version: string | null;
  atMs: number;
}

/** Returns a fault of a view as text, to send to support. */
export function faultReport({ error, components, place, version, atMs }: FaultFacts): string {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const message = String(error);
  const lines = [
    texts.fault.head(version ?? '', isoOf(atMs)),
    texts.fault.place(place),
    // The stack of most engines begins with the message.
    stack.startsWith(message) ? stack : `${message}\n${stack}`,
    components,
  ];
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}
