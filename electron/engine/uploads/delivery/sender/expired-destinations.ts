import { AppError, appError } from '../../../../../shared/contract/app-error.ts';
import { isExpired } from './answers.ts';

/**
 * Stores which uploads lost their last destination because it had expired. One new descriptor is requested. If the destination
 * reports that this one has expired, too, another would not help, so the transfer counts as refused. In memory only: after a
 * restart one more descriptor is requested.
 */
export class ExpiredDestinations {
  readonly #expired = new Set<string>();

  /**
   * Runs one transfer of the upload or follow-up `key`. Throws its error, or `upload.refused` when a new descriptor has expired,
   * too.
   */
  async guard<T>(key: string, transfer: () => Promise<T>): Promise<T> {
    try {
      const result = await transfer();
      this.#expired.delete(key);
      return result;
    } catch (error) {
      const hasExpired = error instanceof AppError && isExpired(error);
      const isAgain = hasExpired && this.#expired.has(key);
      if (hasExpired && !isAgain) this.#expired.add(key);
      else this.#expired.delete(key);
      if (!isAgain) throw error;
      throw appError('upload.refused', {
        message: 'The upload server reports that the permission to send has expired, although it is new.',
        details: error.details ?? {},
        cause: error,
      });
    }
  }
}
