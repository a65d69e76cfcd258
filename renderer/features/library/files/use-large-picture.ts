import { useEffect, useState } from 'react';
import { decodeLarge, type LargePicture, makeCopies } from '../state/files/large-picture.ts';

interface LargeState {
  picture: LargePicture | null;
  /** The number of its smaller copies. */
  copies: number;
}

const NONE: LargeState = { picture: null, copies: 0 };

/** Decodes a large picture; null: there is none. `onError` is called when that fails. */
export function useLargePicture(address: string | null, onError: () => void): LargeState {
  const [state, setState] = useState(NONE);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another function does not decode the picture again
  useEffect(() => {
    if (address === null) return;
    const controller = new AbortController();
    let open: LargePicture | null = null;
    const load = async () => {
      const picture = await decodeLarge(address, controller.signal);
      if (controller.signal.aborted) return picture.close();
      open = picture;
      setState({ picture, copies: 0 });
      await makeCopies(picture, () => setState(({ copies }) => ({ picture, copies: copies + 1 })));
    };
    load().catch(() => {
      if (!controller.signal.aborted) onError();
    });
    return () => {
      controller.abort();
      open?.close();
      setState(NONE);
    };
  }, [address]);
  return state;
}
