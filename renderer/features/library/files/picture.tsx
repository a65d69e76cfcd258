import { Maximize2, Scan, ZoomIn, ZoomOut } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import { contentAddress } from '../../../../shared/contract/content-address.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { IconButton } from '../../../kit/components/button.tsx';
import { ErrorState } from '../../../kit/components/status/empty-state.tsx';
import { toErrorData } from '../../../kit/text/errors.ts';
import { kindOfPicture } from '../state/files/large-picture.ts';
import { MOST_SCALE } from '../state/files/picture-zoom.ts';
import type { Played } from '../state/files/player-store.ts';
import type { ContentKeys } from './content-keys.ts';
import { LargeCanvas } from './large-canvas.tsx';
import styles from './player.module.css';
import { texts } from './texts.ts';
import { useLargePicture } from './use-large-picture.ts';
import { type PictureZoom, useZoom } from './use-zoom.ts';

interface PictureProps {
  played: Played;
  keys: ContentKeys;
  /** Called when the picture becomes larger than its place, or fits again. */
  onZoom: (isZoomed: boolean) => void;
}

/** Before its size is known, an element is not drawn: a large picture would stop the window. */
const LOADING = { maxWidth: '100%', maxHeight: '100%', visibility: 'hidden' } as const;
const TOO_LARGE: AppErrorData = {
  code: 'content.refused',
  message: texts.player.tooLarge,
  nextStep: texts.player.tooLargeNext,
  details: null,
};

/** A picture: at first completely visible, at most in its own size. The wheel, keys and buttons change its size, a drag moves it. */
export function PictureView({ played, keys, onZoom }: PictureProps) {
  const { siteId, mediaId, title, playing } = played;
  const [error, setError] = useState<AppErrorData | null>(null);
  const [attempts, setAttempts] = useState(0);
  const { width, height } = playing.file;
  /** Its own size, as the library knows it, until it is loaded. Its kind is unknown before. */
  const [size, setSize] = useState({ width: 0, height: 0 });
  const known = size.width > 0 ? size : { width: width ?? 0, height: height ?? 0 };
  const kind = kindOfPicture(known);
  const place = useRef<HTMLDivElement>(null);
  const zoom = useZoom(place, size);
  const { scale, fit } = zoom;
  const isZoomed = scale !== null;
  useEffect(() => {
    keys.current = zoom.onKeyDown;
    return () => {
      keys.current = null;
    };
  });
  useEffect(() => {
    onZoom(isZoomed);
    return () => onZoom(false);
  }, [isZoomed, onZoom]);
  const ref = { siteId, mediaId, fileId: playing.file.id };
  const address = contentAddress({ kind: 'media', ...ref });
  const large = useLargePicture(error === null && kind === 'large' ? address : null, () => void explain());
  const { picture } = large;
  const isLoaded = kind === 'large' ? picture !== null : size.width > 0;
  useEffect(() => {
    if (picture !== null) setSize({ width: picture.width, height: picture.height });
  }, [picture]);
  const explain = async () => {
    try {
      await call('files.check', { kind: 'media', ...ref });
      setError({ code: 'content.refused', message: texts.player.imageFailed, nextStep: null, details: null });
    } catch (thrown) {
      setError(toErrorData(thrown));
    }
  };
  const retry = () => {
    setError(null);
    setAttempts(attempts + 1);
  };
  const problem = kind === 'too-large' ? TOO_LARGE : error;
  if (problem !== null) {
    return (
      <div className={styles.stage}>
        <ErrorState title={texts.player.failed} error={problem} {...(problem === error ? { onRetry: retry } : {})} />
      </div>
    );
  }
  const box = { width: size.width * (scale ?? fit), height: size.height * (scale ?? fit) };
  const shown = scale ?? fit;
  return (
    <div className={styles.recording}>
      <div className={styles.stage}>
        <div
          ref={place}
          className={styles.pictures}
          tabIndex={isZoomed ? 0 : -1}
          {...(isZoomed ? { 'data-zoomed': '' } : {})}
          {...zoom.handlers}
        >
          {kind === 'large' ? (
            <div className={styles.picture} style={box} />
          ) : (
            <img
              key={attempts}
              className={styles.picture}
              style={isLoaded ? box : LOADING}
              src={address}
              alt={texts.player.image(title)}
              decoding="async"
              draggable={false}
              onLoad={({ currentTarget }) =>
                setSize({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
              }
              onError={() => void explain()}
            />
          )}
        </div>
        {picture === null ? null : (
          <LargeCanvas {...large} picture={picture} place={place} scale={shown} label={texts.player.image(title)} />
        )}
        {isLoaded ? null : (
          <span className={styles.waiting} role="status">
            {texts.player.loading}
          </span>
        )}
      </div>
      <PictureBar zoom={zoom} isLoaded={isLoaded} />
    </div>
  );
}

/** The controls below a picture. */
function PictureBar({ zoom: { scale, fit, step, set }, isLoaded }: { zoom: PictureZoom; isLoaded: boolean }) {
  const shown = scale ?? fit;
  return (
    <div className={styles.bar}>
      <div className={styles.buttons}>
        <IconButton label={texts.player.zoomOut} keys="−" isDisabled={scale === null} onPress={() => step(-1)}>
          <ZoomOut size={17} />
        </IconButton>
        <span className={styles.percent} role="status">
          {isLoaded ? texts.player.percent(shown) : ''}
        </span>
        <IconButton label={texts.player.zoomIn} keys="+" isDisabled={shown >= MOST_SCALE} onPress={() => step(1)}>
          <ZoomIn size={17} />
        </IconButton>
        <span className={styles.space} />
        <IconButton label={texts.player.fit} keys="0" isDisabled={scale === null} onPress={() => set(null)}>
          <Scan size={17} />
        </IconButton>
        <IconButton label={texts.player.ownSize} keys="1" isDisabled={shown === 1} onPress={() => set(1)}>
          <Maximize2 size={16} />
        </IconButton>
      </div>
    </div>
  );
}
