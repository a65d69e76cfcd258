import type { Failpoints } from '../../../ports/failpoints.ts';
import type { SendForm } from './send-options.ts';

/** Points of a transfer, in order. */
export const SEND_MOMENTS = ['send.first-bytes', 'send.half', 'send.last-bytes', 'send.all-sent'] as const;

/** Wraps a sender; a transfer as a whole (`send`) and its points are failpoints. */
export function senderWithFailpoints(sendForm: SendForm, failpoints: Failpoints): SendForm {
  return (options) =>
    failpoints.runAsync('send', () => {
      const { sizeBytes } = options.expected;
      let before = 0;
      return sendForm({
        ...options,
        onProgress(sentBytes) {
          options.onProgress(sentBytes);
          if (before === 0) failpoints.pass('send.first-bytes');
          if (before < sizeBytes / 2 && sentBytes >= sizeBytes / 2) failpoints.pass('send.half');
          if (sentBytes >= sizeBytes) failpoints.pass('send.last-bytes');
          before = sentBytes;
        },
        onAllSent() {
          options.onAllSent?.();
          failpoints.pass('send.all-sent');
        },
      });
    });
}
