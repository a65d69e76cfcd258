import { ImageUp } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import { Button } from '../../../kit/components/button.tsx';
import { Glyph } from '../../../kit/components/glyph.tsx';
import { FormDialog } from '../../../kit/components/overlay/form-dialog.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { toErrorData } from '../../../kit/text/errors.ts';
import { type ChosenPicture, choosePicture, pictureProblem } from '../../common/choose-picture.ts';
import { LoadedImage } from '../../common/loaded-image.tsx';
import { notify, warn } from '../../common/state/messages-store.ts';
import styles from '../admin.module.css';
import { setPersonPicture, usePersonPicture } from '../state/person-pictures.ts';
import { texts } from '../texts.ts';

const words = texts.picture;
/** Larger pictures are reduced to this size before they are sent. */
const MOST_SIZE = { width: 1024, height: 1024 };

/** The picture that the library has of a user; an icon until it is loaded, and without one. */
export function PersonPicture({ userId }: { userId: string }) {
  return (
    <span className={styles.picture}>
      <LoadedImage address={usePersonPicture(userId)} className={styles.pictureImage}>
        <Glyph name="person" size={22} />
      </LoadedImage>
    </span>
  );
}

/** Chooses a picture of this computer, shows it, and sets it as that of a user. Says why a file can't be used. */
export function PictureButton({ userId, name }: { userId: string; name: string }) {
  const [picture, setPicture] = useState<ChosenPicture | null>(null);
  const choose = async () => {
    try {
      setPicture(await choosePicture(MOST_SIZE));
    } catch (thrown) {
      const { message, nextStep } = pictureProblem(thrown);
      warn(message, nextStep);
    }
  };
  return (
    <>
      <Button icon={<ImageUp size={14} aria-hidden />} onPress={() => void choose()}>
        {words.command}
      </Button>
      {picture === null ? null : (
        <PictureDialog userId={userId} name={name} picture={picture} onClose={() => setPicture(null)} />
      )}
    </>
  );
}

interface PictureDialogProps {
  userId: string;
  name: string;
  picture: ChosenPicture;
  onClose: () => void;
}

/** Shows a chosen picture, and sets it as that of a user. */
function PictureDialog({ userId, name, picture, onClose }: PictureDialogProps) {
  const [error, setError] = useState<AppErrorData | null>(null);
  const [isBusy, setBusy] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.replaceChildren(picture.canvas), [picture]);
  const submit = async () => {
    setBusy(true);
    setError(null);
    try {
      await setPersonPicture(userId, picture.input);
      onClose();
      notify(words.done(name));
    } catch (thrown) {
      setError(toErrorData(thrown));
      setBusy(false);
    }
  };
  return (
    <FormDialog title={words.title(name)} action={words.action} isBusy={isBusy} onSubmit={submit} onClose={onClose}>
      {error === null ? null : <InlineError error={error} />}
      <div ref={place} className={styles.picturePreview} role="img" aria-label={words.preview} />
      <p className={styles.note}>{words.final}</p>
    </FormDialog>
  );
}
