import { useEffect, useState } from 'react';
import { attempt } from '../../common/state/messages-store.ts';

interface FullScreen {
  isFull: boolean;
  toggle: () => void;
  leave: () => void;
}

const leave = () => void document.exitFullscreen();

/**
 * Shows the whole page in full screen, so that menus and messages, which are not part of the player, stay visible above it. Full
 * screen ends when the component is removed.
 */
export function useFullScreen(): FullScreen {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const read = () => setFull(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', read);
    return () => {
      document.removeEventListener('fullscreenchange', read);
      if (document.fullscreenElement !== null) leave();
    };
  }, []);
  const enter = () => void attempt(() => document.documentElement.requestFullscreen());
  return { isFull, toggle: isFull ? leave : enter, leave };
}
