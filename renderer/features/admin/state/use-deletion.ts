import { useState } from 'react';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import { useLoaded } from '../../../kit/async/use-loaded.ts';
import { toErrorData } from '../../../kit/text/errors.ts';
import { useAdmin } from './admin-store.ts';

interface DeletionSteps<P> {
  /** What is deleted. */
  key: string;
  /** Reads from the library what the deletion removes. */
  read: (siteId: string) => Promise<P>;
  /** Deletes what was read. Throws `admin.deletion-changed` when the library would remove something else now. */
  remove: (siteId: string, preview: P) => Promise<void>;
  onDone: () => void;
}

/** A question before a deletion. It stays open, with what the library has then, when that changed since it was shown. */
export function useDeletion<P>({ key, read, remove, onDone }: DeletionSteps<P>) {
  const siteId = useAdmin((state) => state.siteId);
  const {
    value: preview,
    error: unread,
    load,
  } = useLoaded(`${siteId} ${key}`, siteId === null ? null : () => read(siteId));
  /** Why the deletion failed. */
  const [failure, setFailure] = useState<AppErrorData | null>(null);
  const [isBusy, setBusy] = useState(false);
  const confirm = async () => {
    if (siteId === null || preview === null || unread !== null || isBusy) return;
    setBusy(true);
    setFailure(null);
    try {
      await remove(siteId, preview);
      onDone();
    } catch (thrown) {
      const error = toErrorData(thrown);
      if (error.code === 'admin.deletion-changed') await load();
      setFailure(error);
      setBusy(false);
    }
  };
  return { preview, unread, failure, isBusy, load, confirm };
}
