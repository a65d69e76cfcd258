import type { CallOutput, HandledInput } from '../../../../shared/contract/contract.ts';
import { WAVEFORM_FILE_VERSION } from '../../../../shared/model/waveform/waveform-file.ts';
import type { Logger } from '../../ports/logger.ts';
import type { ThumbnailCache } from '../thumbnails/thumbnail-cache.ts';
import type { Thumbnails } from '../thumbnails/thumbnails.ts';

type WaveformHandlers = {
  [N in 'waveforms.read' | 'waveforms.store']: (input: HandledInput<N>) => Promise<CallOutput<N>>;
};

interface WaveformOptions {
  cache: ThumbnailCache;
  /** Whether files of the account are cached now. */
  mayUse: Thumbnails['mayUse'];
  logger: Logger;
}

/**
 * Returns the calls that store waveforms beside the thumbnails: with their limit, and until the sign-out. A failure of the disk is
 * logged: the window computes the waveform again.
 */
export function waveformHandlers({ cache, mayUse, logger }: WaveformOptions): WaveformHandlers {
  const refOf = ({ siteId, mediaId }: HandledInput<'waveforms.read'>) =>
    ({ siteId, subject: 'waveforms', id: mediaId, version: String(WAVEFORM_FILE_VERSION) }) as const;
  const logFailure = (error: unknown) => {
    logger.warn('waveform.cache-failed', { reason: String(error) });
    return null;
  };
  return {
    async 'waveforms.read'(input) {
      if (!(await mayUse(input.siteId))) return null;
      const stored = await cache.get(refOf(input)).catch(logFailure);
      return stored === null ? null : { bytes: new Uint8Array(stored.bytes) };
    },
    async 'waveforms.store'({ bytes, ...ref }) {
      const ticket = cache.begin(ref.siteId);
      if (!(await mayUse(ref.siteId))) return null;
      await cache.put(refOf(ref), Buffer.from(bytes), ticket).catch(logFailure);
      return null;
    },
  };
}
