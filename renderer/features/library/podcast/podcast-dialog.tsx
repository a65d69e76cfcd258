import { ExternalLink } from 'lucide-react';
import { type FormEvent, useEffect } from 'react';
import { Button } from '../../../kit/components/button.tsx';
import { Dialog, FooterSpace } from '../../../kit/components/overlay/dialog.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { openWebPage } from '../../common/commands/commands.ts';
import { useApp } from '../../common/state/app-store.ts';
import { texts } from '../collections/texts.ts';
import { openCollectionDialog, useCollections } from '../state/collections/collections-store.ts';
import { openFileDialog } from '../state/files/file-commands.ts';
import { podcastFindings } from '../state/podcast/podcast-draft.ts';
import {
  editPodcast,
  loadPodcast,
  openPodcast,
  readArtwork,
  revertPodcast,
  savePodcast,
  usePodcast,
} from '../state/podcast/podcast-store.ts';
import { readinessOf } from '../state/podcast/readiness.ts';
import { changesOf, useThumbnails } from '../state/thumbnails.ts';
import styles from './podcast.module.css';
import { PodcastFields } from './podcast-fields.tsx';
import { ReadinessPanel } from './readiness-panel.tsx';

const FORM = 'podcast-details';

/** Edits the details of a podcast. Unsaved edits stay on this computer when the dialog closes. */
export function PodcastDialog() {
  const collectionId = useCollections(({ dialog }) => (dialog?.kind === 'podcast' ? dialog.collectionId : null));
  const siteId = useApp((state) => state.siteId);
  useEffect(() => openPodcast(siteId, collectionId), [siteId, collectionId]);
  return collectionId === null || siteId === null ? null : <Editor />;
}

function Editor() {
  const { podcast, opened, edits, draft, isSaving, error } = usePodcast();
  useEffect(followThumbnail, []);
  const close = () => openCollectionDialog(null);
  const isDirty = Object.keys(edits).length > 0;
  const name = podcast?.collection.display_name ?? '';
  const findings = opened === null || draft === null ? {} : podcastFindings(opened, draft, name);
  const hasProblem = Object.values(findings).some(({ kind }) => kind === 'problem');
  return (
    <Dialog
      title={podcast === null ? texts.podcast.loadingTitle : texts.podcast.title(name)}
      isOpen
      onClose={close}
      width={880}
      footer={
        <>
          <span className={styles.footNote} role="status">
            {isDirty ? texts.podcast.unsaved : ''}
          </span>
          <FooterSpace />
          {isDirty ? <Button onPress={revertPodcast}>{texts.podcast.revert}</Button> : null}
          <Button onPress={close}>{texts.podcast.close}</Button>
          <Button variant="primary" type="submit" form={FORM} isDisabled={!isDirty || hasProblem}>
            {isSaving ? texts.podcast.saving : texts.podcast.save}
          </Button>
        </>
      }
    >
      {error === null ? null : (
        <InlineError error={error}>
          {draft === null || error.code === 'collection.changed' ? (
            <Button onPress={() => void loadPodcast()}>
              {draft === null ? texts.podcast.retry : texts.podcast.loadCurrent}
            </Button>
          ) : null}
        </InlineError>
      )}
      <Form />
    </Dialog>
  );
}

/** Checks the artwork again when the library has another thumbnail of the podcast. */
function followThumbnail() {
  return useThumbnails.subscribe((state, before) => {
    const { collectionId } = usePodcast.getState();
    if (collectionId === null) return;
    const changesIn = (of: typeof state) => changesOf(of, 'collections', collectionId);
    if (changesIn(state) !== changesIn(before)) void readArtwork();
  });
}

/** The fields and, beside or below them, the requirements of podcast directories. */
function Form() {
  const { siteId, collectionId, podcast, opened, draft, error, refused } = usePodcast();
  if (podcast === null || opened === null || draft === null) {
    return error === null ? <p className={styles.note}>{texts.podcast.loading}</p> : null;
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await savePodcast()) openCollectionDialog(null);
  };
  const findings = podcastFindings(opened, draft, podcast.collection.display_name);
  const page = podcast.viewUrl;
  const setThumbnail = () => {
    if (siteId === null || collectionId === null) return;
    const name = podcast.collection.display_name;
    openFileDialog({ kind: 'collection-thumbnail', collection: { siteId, collectionId }, name, isPodcast: true });
  };
  return (
    <div className={styles.frame}>
      <div className={styles.columns}>
        <form id={FORM} className={styles.form} onSubmit={(event) => void submit(event)}>
          <PodcastFields opened={opened} draft={draft} findings={findings} refused={refused} onEdit={editPodcast} />
        </form>
        <div className={styles.side}>
          <ReadinessPanel checks={readinessOf(podcast, draft)} onSetThumbnail={setThumbnail} />
          {page === null ? null : (
            <Button variant="link" icon={<ExternalLink size={14} aria-hidden />} onPress={() => void openWebPage(page)}>
              {texts.podcast.page}
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}
