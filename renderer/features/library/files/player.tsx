import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import { contentAddress } from '../../../../shared/contract/content-address.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { IconButton } from '../../../kit/components/button.tsx';
import { Select } from '../../../kit/components/forms/select.tsx';
import { ErrorState } from '../../../kit/components/status/empty-state.tsx';
import { toErrorData } from '../../../kit/text/errors.ts';
import { chooseVersion, closePlayer, type Played, usePlayer } from '../state/files/player-store.ts';
import { factsOf } from './file-words.tsx';
import styles from './player.module.css';
import { Recording } from './recording.tsx';
import { texts } from './texts.ts';

/** The player: shows a recording or a picture of an item above the window. */
export function Player() {
  const played = usePlayer((state) => state.played);
  if (played === null) return null;
  return (
    <ModalOverlay
      className={styles.veil ?? ''}
      isOpen
      isDismissable
      onOpenChange={(open) => {
        if (!open) closePlayer();
      }}
    >
      <Modal className={styles.modal ?? ''}>
        <Dialog className={styles.dialog ?? ''}>
          <Head played={played} />
          {played.playing.showing === 'image' ? (
            <Picture key={played.playing.file.id} played={played} />
          ) : (
            <Recording played={played} />
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Head({ played }: { played: Played }) {
  const { versions, playing } = played;
  return (
    <header className={styles.head}>
      <div className={styles.headText}>
        <Heading slot="title" className={styles.title ?? ''}>
          {played.title}
        </Heading>
        <p className={styles.facts}>{factsOf(playing.file).join(' · ')}</p>
      </div>
      {versions.length < 2 ? null : (
        <Select
          label={texts.player.version}
          bare
          value={playing.file.id}
          options={versions.map(({ file }) => ({
            value: file.id,
            label: file.encoding_profile ?? (file.source === 'encoding' ? texts.encoding : texts.player.original),
            detail: factsOf(file).slice(1).join(' · '),
          }))}
          onChange={chooseVersion}
        />
      )}
      <IconButton label={texts.player.close} keys="Esc" onPress={closePlayer}>
        <X size={18} />
      </IconButton>
    </header>
  );
}

/** A picture, at most in its own size. */
function Picture({ played }: { played: Played }) {
  const { siteId, mediaId, title, playing } = played;
  const [error, setError] = useState<AppErrorData | null>(null);
  const [attempts, setAttempts] = useState(0);
  const ref = { siteId, mediaId, fileId: playing.file.id };
  useEffect(() => () => setError(null), []);
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
  return (
    <div className={styles.stage}>
      {error === null ? (
        <img
          key={attempts}
          className={styles.picture}
          src={contentAddress({ kind: 'media', ...ref })}
          alt={texts.player.image(title)}
          decoding="async"
          onError={() => void explain()}
        />
      ) : (
        <ErrorState title={texts.player.failed} error={error} onRetry={retry} />
      )}
    </div>
  );
}
