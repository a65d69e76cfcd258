import { CloudOff, Download, FileUp, Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Encoding, MediaFile } from '../../../../shared/api/files.ts';
import type { MediaDetail } from '../../../../shared/contract/library.ts';
import { modKey } from '../../../kit/bridge/bridge.ts';
import { Button } from '../../../kit/components/button.tsx';
import { ConfirmDialog } from '../../../kit/components/overlay/dialog.tsx';
import { ActionMenu, type MenuEntry } from '../../../kit/components/overlay/menu.tsx';
import { EmptyState } from '../../../kit/components/status/empty-state.tsx';
import { chordText } from '../../common/commands/chords.ts';
import { hasRecording, ITEM_FILE_COMMANDS, refusalOfFileCommand } from '../commands/item-file-commands.ts';
import { openAdditions } from '../state/files/additions-store.ts';
import { startDownload } from '../state/files/downloads-store.ts';
import { deleteFile } from '../state/files/file-commands.ts';
import { bestOf, isElsewhere, playableCaptions } from '../state/files/playable.ts';
import { showFile } from '../state/files/show-item.ts';
import { AdditionsList } from './additions-list.tsx';
import { DownloadsList } from './downloads-list.tsx';
import { isDownloadable, mediaFileName, OriginalRow } from './file-row.tsx';
import { ShowIcon, showWord } from './file-words.tsx';
import styles from './files.module.css';
import { texts } from './texts.ts';

interface FilesTabProps {
  siteId: string;
  detail: MediaDetail;
}

/** The files of an item, each with its encodings and its commands. */
export function FilesTab({ siteId, detail }: FilesTabProps) {
  const { files, item, areFilesUnknown = false } = detail;
  const [deleting, setDeleting] = useState<MediaFile | Encoding | null>(null);
  const mediaId = item.id;
  useEffect(() => {
    openAdditions(siteId, mediaId);
    return () => openAdditions(siteId, null);
  }, [siteId, mediaId]);
  const captions = playableCaptions(files).map(({ id, display_name: name }) => ({ id, name }));
  const shown = { siteId, mediaId, title: item.title, files, captions };
  const best = bestOf(files);
  const recordings = files.filter(({ type }) => type !== 'captions');
  const texted = files.filter(({ type }) => type === 'captions');
  const rows = (list: readonly MediaFile[]) =>
    list.map((file) => <OriginalRow key={file.id} file={file} shown={shown} onDelete={setDeleting} />);
  return (
    <div className={styles.scroll} data-item-files>
      <div className={styles.actions}>
        {best === null ? null : (
          <Button
            variant="primary"
            icon={<ShowIcon showing={best.showing} />}
            onPress={() => void showFile(shown, best)}
          >
            {showWord(best.showing)}
          </Button>
        )}
        {files.some(isDownloadable) ? (
          <Button
            icon={<Download size={14} aria-hidden />}
            onPress={() => void startDownload(siteId, [{ mediaId, fileId: null }])}
          >
            {texts.downloadAll}
          </Button>
        ) : null}
        {areFilesUnknown ? null : <AddMenu siteId={siteId} mediaId={mediaId} files={files} />}
      </div>
      <AdditionsList />
      {areFilesUnknown ? <EmptyState icon={CloudOff} title={texts.unknown} text={texts.unknownHint} /> : null}
      {files.length > 0 || areFilesUnknown ? null : (
        <EmptyState icon={FileUp} title={texts.none} text={texts.noneHint} />
      )}
      {recordings.length === 0 ? null : (
        <ul className={styles.files} aria-label={texts.label}>
          {rows(recordings)}
        </ul>
      )}
      {texted.length === 0 ? null : (
        <section className={styles.section}>
          <h3 className={styles.sectionTitle}>{texts.captionsLabel}</h3>
          <ul className={styles.files} aria-label={texts.captionsLabel}>
            {rows(texted)}
          </ul>
        </section>
      )}
      <DownloadsList siteId={siteId} isShown={(id) => id === mediaId} />
      {deleting === null ? null : (
        <ConfirmDialog
          title={texts.deleteTitle(mediaFileName(deleting))}
          text={deletionText(deleting)}
          confirm={texts.deleteConfirm}
          isOpen
          onClose={() => setDeleting(null)}
          onConfirm={() =>
            void deleteFile(
              siteId,
              mediaId,
              { id: deleting.id, name: mediaFileName(deleting) },
              texts.deleted(mediaFileName(deleting)),
            )
          }
        />
      )}
    </div>
  );
}

interface AddMenuProps {
  siteId: string;
  mediaId: string;
  files: readonly MediaFile[];
}

/** The menu of everything that can be added to an item. */
function AddMenu({ siteId, mediaId, files }: AddMenuProps) {
  const item = { siteId, mediaId };
  const entries = ITEM_FILE_COMMANDS.map((command): MenuEntry => {
    const { id, label, icon: Icon, chords = [], run } = command;
    const [chord] = chords;
    return {
      id,
      label,
      icon: <Icon size={15} aria-hidden />,
      ...(chord === undefined ? {} : { detail: chordText(chord, modKey()) }),
      onAction: () => run(item),
      ...refusalOfFileCommand(command, hasRecording(files)),
    };
  });
  return (
    <ActionMenu label={texts.add} groups={[{ entries }]} placement="bottom end">
      <Button icon={<Plus size={14} aria-hidden />}>{texts.add}</Button>
    </ActionMenu>
  );
}

/** Returns a text that says exactly what a deletion removes. */
function deletionText(file: MediaFile | Encoding): string {
  if (file.source === 'encoding') return texts.deleteEncoding;
  if (file.type === 'captions') return texts.deleteCaptions;
  if (isElsewhere(file)) return texts.deleteWeb;
  return texts.deleteFile(file.encodings?.length ?? 0);
}
