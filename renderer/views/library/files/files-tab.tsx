import { Download, Ellipsis, ExternalLink, Eye, FileUp, Play } from 'lucide-react';
import { useState } from 'react';
import type { Encoding, MediaFile } from '../../../../shared/api/files.ts';
import type { MediaDetail } from '../../../../shared/contract/library.ts';
import { copy } from '../../../commands/system.ts';
import { Button, IconButton } from '../../../components/button.tsx';
import { ConfirmDialog } from '../../../components/overlay/dialog.tsx';
import { ActionMenu, type MenuGroup } from '../../../components/overlay/menu.tsx';
import { EmptyState } from '../../../components/status/empty-state.tsx';
import { StateChip } from '../../../components/status/state-chip.tsx';
import { TypeIcon } from '../../../components/type-icon.tsx';
import { startDownload } from '../../../stores/library/files/downloads-store.ts';
import { deleteFile } from '../../../stores/library/files/file-commands.ts';
import {
  bestOf,
  captionsOf,
  isElsewhere,
  type Showing,
  showingOf,
  versionsOf,
} from '../../../stores/library/files/playable.ts';
import { showFile } from '../../../stores/library/files/player-store.ts';
import { fileLook, isAtWork, typeWord } from '../../../text/states.ts';
import { captionsLabel } from './caption-label.ts';
import { DownloadsList } from './downloads-list.tsx';
import { factsOf } from './file-facts.ts';
import styles from './files.module.css';
import { texts } from './texts.ts';

interface FilesTabProps {
  siteId: string;
  detail: MediaDetail;
}

/** The files of an item, each with its encodings, and what can be done with them. */
export function FilesTab({ siteId, detail }: FilesTabProps) {
  const { files, item } = detail;
  const [deleting, setDeleting] = useState<MediaFile | Encoding | null>(null);
  if (files.length === 0) return <EmptyState icon={FileUp} title={texts.none} text={texts.noneHint} />;
  const captions = captionsOf(files).map(({ id, display_name: name }) => ({ id, name }));
  const shown = { siteId, mediaId: item.id, title: item.title, files, captions };
  const best = bestOf(files);
  const recordings = files.filter(({ type }) => type !== 'captions');
  const texted = files.filter(({ type }) => type === 'captions');
  const rows = (list: readonly MediaFile[]) =>
    list.map((file) => <OriginalRow key={file.id} file={file} shown={shown} onDelete={setDeleting} />);
  return (
    <div className={styles.scroll}>
      <div className={styles.actions}>
        {best === null ? null : (
          <Button
            variant="primary"
            large
            icon={<ShowIcon showing={best.showing} />}
            onPress={() => void showFile(shown, best)}
          >
            {showWord(best.showing)}
          </Button>
        )}
        {files.some(isDownloadable) ? (
          <Button
            large
            icon={<Download size={14} aria-hidden />}
            onPress={() => void startDownload(siteId, [{ mediaId: item.id, fileId: null }])}
          >
            {texts.downloadAll}
          </Button>
        ) : null}
      </div>
      <ul className={styles.files} aria-label={texts.label}>
        {rows(recordings)}
      </ul>
      {texted.length === 0 ? null : (
        <section className={styles.section}>
          <h3 className={styles.sectionTitle}>{texts.captionsLabel}</h3>
          <ul className={styles.files} aria-label={texts.captionsLabel}>
            {rows(texted)}
          </ul>
        </section>
      )}
      <DownloadsList />
      {deleting === null ? null : (
        <ConfirmDialog
          title={texts.deleteTitle(nameOf(deleting))}
          text={texts.deleteText}
          confirm={texts.deleteConfirm}
          isOpen
          onClose={() => setDeleting(null)}
          onConfirm={() => void deleteFile(siteId, item.id, deleting, texts.deleted(nameOf(deleting)))}
        />
      )}
    </div>
  );
}

type Shown = Parameters<typeof showFile>[0];

interface OriginalRowProps {
  file: MediaFile;
  shown: Shown;
  onDelete: (file: MediaFile | Encoding) => void;
}

function OriginalRow({ file, shown, onDelete }: OriginalRowProps) {
  const encodings = file.encodings ?? [];
  const [best] = versionsOf(file);
  const name = nameOf(file);
  return (
    <li className={styles.file}>
      <div className={styles.fileHead}>
        <TypeIcon type={file.type} />
        <div className={styles.fileText}>
          <div className={styles.fileName} title={file.display_name}>
            {name}
          </div>
          <div className={styles.facts}>{(isElsewhere(file) ? [texts.embedded] : factsOf(file)).join(' · ')}</div>
          <StateChip look={fileLook(file.status)} state={file.status} />
          <NextStep file={file} />
        </div>
        {best === undefined ? null : (
          <IconButton label={showLabel(best.showing, name)} small onPress={() => void showFile(shown, best)}>
            <ShowIcon showing={best.showing} />
          </IconButton>
        )}
        <FileMenu file={file} shown={shown} onDelete={onDelete} />
      </div>
      {encodings.length === 0 ? null : (
        <ul className={styles.encodings} aria-label={texts.encodings}>
          {encodings.map((encoding) => (
            <EncodingRow key={encoding.id} encoding={encoding} shown={shown} onDelete={onDelete} />
          ))}
        </ul>
      )}
    </li>
  );
}

function EncodingRow({ encoding, shown, onDelete }: Omit<OriginalRowProps, 'file'> & { encoding: Encoding }) {
  const showing = showingOf(encoding);
  const name = encoding.encoding_profile || encoding.display_name || texts.encoding;
  return (
    <li className={styles.encoding}>
      <div className={styles.fileText}>
        <div>{name}</div>
        <div className={styles.small}>{factsOf(encoding).slice(1).join(' · ')}</div>
        {encoding.status === 'error' ? <p className={styles.small}>{texts.encodingFailed}</p> : null}
      </div>
      <StateChip look={fileLook(encoding.status)} state={encoding.status} />
      {showing === null ? null : (
        <IconButton
          label={showLabel(showing, name)}
          small
          onPress={() => void showFile(shown, { file: encoding, showing })}
        >
          <ShowIcon showing={showing} />
        </IconButton>
      )}
      <FileMenu file={encoding} shown={shown} onDelete={onDelete} />
    </li>
  );
}

/** What can be done with a file besides playing it. */
function FileMenu({ file, shown, onDelete }: Omit<OriginalRowProps, 'file'> & { file: MediaFile | Encoding }) {
  const name = (file.source === 'encoding' ? file.encoding_profile : null) ?? nameOf(file);
  const { siteId, mediaId } = shown;
  const download = {
    id: 'download',
    label: texts.download,
    isDisabled: !isDownloadable(file),
    onAction: () => void startDownload(siteId, [{ mediaId, fileId: file.id }]),
  };
  const groups: MenuGroup[] = [
    { entries: [download, { id: 'copy-name', label: texts.copyName, onAction: () => void copy(file.display_name) }] },
    { entries: [{ id: 'delete', label: texts.delete, isDanger: true, onAction: () => onDelete(file) }] },
  ];
  return (
    <ActionMenu label={texts.more(name)} groups={groups} placement="bottom end">
      <IconButton label={texts.more(name)} small>
        <Ellipsis size={15} />
      </IconButton>
    </ActionMenu>
  );
}

/** A file that arrived, also one that the library couldn't process. */
function isDownloadable(file: MediaFile | Encoding): boolean {
  return !isElsewhere(file) && file.status !== 'uploading' && file.status !== 'aborted';
}

/** The next step for a state that needs one. */
function NextStep({ file: { status } }: { file: MediaFile }) {
  const text =
    status === 'error'
      ? texts.processingFailed
      : status === 'aborted'
        ? texts.aborted
        : isAtWork(status)
          ? texts.processing
          : null;
  return text === null ? null : <p className={styles.small}>{text}</p>;
}

function nameOf(file: MediaFile | Encoding): string {
  if (file.display_name === '') return typeWord(file.type);
  return file.type === 'captions' ? captionsLabel(file.display_name) : file.display_name;
}

function ShowIcon({ showing }: { showing: Showing }) {
  if (showing === 'web') return <ExternalLink size={14} aria-hidden />;
  return showing === 'video' || showing === 'audio' ? <Play size={14} aria-hidden /> : <Eye size={14} aria-hidden />;
}

function showWord(showing: Showing): string {
  if (showing === 'web') return texts.openInBrowser;
  return showing === 'video' || showing === 'audio' ? texts.play : texts.show;
}

function showLabel(showing: Showing, name: string): string {
  if (showing === 'web') return texts.openFile(name);
  return showing === 'video' || showing === 'audio' ? texts.playFile(name) : texts.showFile(name);
}
