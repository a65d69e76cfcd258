import type { ReactNode } from 'react';
import { Button } from '../../../kit/components/button.tsx';
import { ErrorState } from '../../../kit/components/status/empty-state.tsx';
import { Thumbnail } from '../media/thumbnail.tsx';
import type { Unopened } from '../state/files/opening.ts';
import type { Shown } from '../state/files/player-store.ts';
import { loadShown, openPreviewed, showFile } from '../state/files/show-item.ts';
import { texts as stateTexts } from '../state/texts.ts';
import { ShowIcon, showWord } from './file-words.tsx';
import styles from './player.module.css';
import { texts } from './texts.ts';

/** The reasons that can end without the user. */
const PASSES: ReadonlySet<Unopened> = new Set(['offline', 'sending', 'processing']);

/** What the player shows of an item without a file for it: its thumbnail, and why it shows no more. */
export function PlayerCard({ shown }: { shown: Shown }) {
  const { content, siteId, mediaId: id, type, modifiedOn, mode } = shown;
  const picture = <Thumbnail siteId={siteId} row={{ id, type, modifiedOn }} iconSize={64} />;
  const card = (children: ReactNode) => (
    <div className={styles.stage}>
      <div className={styles.thumbnail} data-type={type ?? ''} key={id}>
        {picture}
      </div>
      {children}
    </div>
  );
  switch (content.kind) {
    case 'loading':
    case 'file':
      return card(
        <span className={styles.waiting} role="status">
          {texts.player.loading}
        </span>,
      );
    case 'outside': {
      const { item, playable } = content;
      const open = () => (mode === 'preview' ? openPreviewed() : void showFile(item, playable));
      return card(
        <div className={styles.note}>
          <span>{playable.showing === 'web' ? texts.player.isWeb : texts.player.isDocument}</span>
          <Button icon={<ShowIcon showing={playable.showing} />} onPress={open}>
            {showWord(playable.showing)}
          </Button>
        </div>,
      );
    }
    case 'none': {
      const { text, nextStep } = stateTexts.files.unopened[content.why];
      return card(
        <div className={styles.note} role="status">
          <strong>{text}</strong>
          <span>{nextStep}</span>
          {PASSES.has(content.why) ? <Button onPress={() => void loadShown()}>{texts.player.retry}</Button> : null}
        </div>,
      );
    }
    case 'failed':
      return (
        <div className={styles.stage}>
          <ErrorState title={texts.player.notRead} error={content.error} onRetry={() => void loadShown()} />
        </div>
      );
  }
}
