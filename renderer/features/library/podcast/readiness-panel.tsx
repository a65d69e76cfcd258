import { Circle, CircleCheck, CircleHelp } from 'lucide-react';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { imageSize } from '../../../../shared/model/image-size.ts';
import { artworkProblems } from '../../../../shared/model/podcast-artwork.ts';
import { Button } from '../../../kit/components/button.tsx';
import { formatCount } from '../../../kit/text/format.ts';
import { texts as sharedTexts } from '../../common/texts.ts';
import { texts } from '../collections/texts.ts';
import { COLLECTION_COMMANDS } from '../commands/collection-commands.ts';
import { byUrgency, type ReadinessCheck, readyCount } from '../state/podcast/readiness.ts';
import styles from './podcast.module.css';

const ICONS = { ready: CircleCheck, missing: Circle, unknown: CircleHelp } as const;

interface ReadinessPanelProps {
  checks: readonly ReadinessCheck[];
  onSetThumbnail: () => void;
}

/** The requirements of podcast directories, with the state of each. */
export function ReadinessPanel({ checks, onSetThumbnail }: ReadinessPanelProps) {
  // The order when the dialog opened, so that no line moves or disappears while the user types.
  const [opened] = useState(() => byUrgency(checks));
  const { ready, known } = readyCount(checks);
  const title = texts.podcast.readiness.title(ready, known);
  return (
    <aside className={styles.readiness} aria-label={title}>
      <h3 className={styles.readyTitle}>{title}</h3>
      <p className={styles.note}>{texts.podcast.readiness.hint}</p>
      <ul className={styles.checks}>
        {opened.map((before) => {
          const { id, label, state, text } = checks.find((check) => check.id === before.id) ?? before;
          const Icon = ICONS[state];
          return (
            <li key={id} data-state={state}>
              <Icon size={15} aria-hidden />
              <span>
                <span className={styles.checkLabel}>{label}</span>
                <span className="visually-hidden">{`: ${texts.podcast.readiness.states[state]}. `}</span>
                <span className={styles.meaning}>{text}</span>
                {id === 'artwork' && before.state === 'missing' ? (
                  <Button variant="link" onPress={onSetThumbnail}>
                    {COLLECTION_COMMANDS.thumbnail.label}
                  </Button>
                ) : null}
              </span>
            </li>
          );
        })}
      </ul>
      <ArtworkCheck />
    </aside>
  );
}

/** The number of bytes that contain the header of any picture, even after a large color profile. */
const HEADER_BYTES = 2_000_000;

/** Measures a picture of this computer before the user sets it as the thumbnail. */
function ArtworkCheck() {
  const [result, setResult] = useState<string | null>(null);
  const measure = async (files: FileList | null) => {
    const file = files?.[0];
    if (file === undefined) return;
    const bytes = new Uint8Array(await file.slice(0, HEADER_BYTES).arrayBuffer());
    setResult(artworkWords(file.name, imageSize(bytes)));
  };
  return (
    <div className={styles.artwork}>
      <FileTrigger acceptedFileTypes={['image/jpeg', 'image/png']} onSelect={(files) => void measure(files)}>
        <Button>{texts.podcast.artwork.check}</Button>
      </FileTrigger>
      <p className={styles.note} role="status">
        {result ?? texts.podcast.artwork.hint}
      </p>
    </div>
  );
}

/** Returns whether directories accept a picture as artwork, as a sentence. `size` null: the picture can't be read. */
function artworkWords(name: string, size: { width: number; height: number } | null): string {
  if (size === null) return texts.podcast.artwork.unreadable(name);
  const { width, height } = size;
  const words = `${formatCount(width)} × ${formatCount(height)}`;
  const problems = artworkProblems(size).map((problem) => sharedTexts.artworkProblems[problem]);
  return problems.length === 0
    ? texts.podcast.artwork.fits(name, words)
    : texts.podcast.artwork.problems(name, words, problems);
}
