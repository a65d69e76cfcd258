import { Image } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { AddUploadsOutput } from '../../../../shared/contract/uploads.ts';
import { chooseFiles } from '../../../kit/bridge/files-and-clipboard.ts';
import { Button } from '../../../kit/components/button.tsx';
import { Dialog, FooterSpace } from '../../../kit/components/overlay/dialog.tsx';
import { pictureProblem } from '../../common/choose-picture.ts';
import { report } from '../state/files/file-commands.ts';
import { type Picture, pictureOfFile, pictureOfFrame } from '../state/files/picture.ts';
import { FileField } from './file-field.tsx';
import styles from './files.module.css';
import { texts } from './texts.ts';

interface ThumbnailDialogProps {
  title: string;
  /** A sentence about accepted formats and sizes. */
  formats: string;
  note?: string;
  /** The maximum size; larger pictures are reduced to it. Default: the size for an item. */
  maxSize?: Parameters<typeof pictureOfFile>[1];
  /** Returns what is wrong with the size in which a picture will be sent; null when nothing is. It can be sent all the same. */
  judge?: ((size: { width: number; height: number }) => string | null) | undefined;
  /** The frame that the player shows; null: the user chooses a picture of this computer. */
  frame: HTMLCanvasElement | null;
  /** Queues the picture. */
  onSet: (picture: Picture['input']) => Promise<AddUploadsOutput>;
  onClose: () => void;
}

interface Problem {
  message: string;
  nextStep: string | null;
}

/** Lets the user choose the thumbnail of an item or a collection, and shows it before it is sent. */
export function ThumbnailDialog({ title, formats, note, maxSize, judge, frame, onSet, onClose }: ThumbnailDialogProps) {
  const [picture, setPicture] = useState<Picture | null>(null);
  const [error, setError] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);

  const take = async (work: () => Promise<Picture>) => {
    setBusy(true);
    try {
      setPicture(await work());
      setError(null);
    } catch (thrown) {
      setPicture(null);
      setError(pictureProblem(thrown));
    } finally {
      setBusy(false);
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the frame is read once
  useEffect(() => {
    if (frame !== null) void take(() => pictureOfFrame(frame, texts.thumbnail.frameName));
  }, [frame]);

  const choose = async () => {
    const [file] = await chooseFiles({ accept: 'image/png,image/jpeg', multiple: false });
    if (file !== undefined) await take(() => pictureOfFile(file, maxSize));
  };
  const save = async () => {
    if (picture === null) {
      setError(error ?? { message: texts.thumbnail.pictureMissing, nextStep: null });
      return;
    }
    setBusy(true);
    try {
      await report(await onSet(picture.input));
      onClose();
    } catch (thrown) {
      setError(pictureProblem(thrown));
    } finally {
      setBusy(false);
    }
  };
  const sizeWords = (canvas: HTMLCanvasElement) =>
    [texts.thumbnail.size(canvas.width, canvas.height), judge?.(canvas) ?? null]
      .filter((words) => words !== null)
      .join('. ');
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      width={520}
      footer={
        <>
          <FooterSpace />
          <Button onPress={onClose}>{texts.cancel}</Button>
          <Button variant="primary" isBusy={isBusy} onPress={() => void save()}>
            {texts.thumbnail.set}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <Preview picture={picture} />
        <FileField
          label={texts.thumbnail.picture}
          icon={<Image size={15} aria-hidden />}
          name={picture?.name ?? null}
          hint={picture === null ? formats : sizeWords(picture.canvas)}
          error={error}
          onChoose={() => void choose()}
        />
        {note === undefined ? null : <p className={styles.small}>{note}</p>}
      </div>
    </Dialog>
  );
}

/** The picture in the form in which it will be sent. */
function Preview({ picture }: { picture: Picture | null }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.replaceChildren(...(picture === null ? [] : [picture.canvas]));
  }, [picture]);
  return picture === null ? (
    <div className={styles.preview}>{texts.thumbnail.none}</div>
  ) : (
    <div ref={place} className={styles.preview} role="img" aria-label={texts.thumbnail.preview} />
  );
}
