import { Ellipsis } from 'lucide-react';
import type { Encoding, MediaFile } from '../../../../shared/api/files.ts';
import { IconButton } from '../../../kit/components/button.tsx';
import { ActionMenu, type MenuGroup } from '../../../kit/components/overlay/menu.tsx';
import { StateChip } from '../../../kit/components/status/state-chip.tsx';
import { TypeIcon } from '../../../kit/components/type-icon.tsx';
import { shownName } from '../../../kit/text/shown-name.ts';
import { fileLook, isAtWork, typeWord } from '../../../kit/text/states.ts';
import { copyToClipboard } from '../../common/commands/commands.ts';
import { startDownload } from '../state/files/downloads-store.ts';
import { chooseReplacement, openFileDialog } from '../state/files/file-commands.ts';
import { isElsewhere, showingOf, versionsOf } from '../state/files/playable.ts';
import { showFile } from '../state/files/show-item.ts';
import { captionsLabel, factsText, fileFactTexts, ShowIcon, showLabel } from './file-words.tsx';
import styles from './files.module.css';
import { texts } from './texts.ts';

type Shown = Parameters<typeof showFile>[0];

interface OriginalRowProps {
  file: MediaFile;
  shown: Shown;
  onDelete: (file: MediaFile | Encoding) => void;
}

/** An original of an item with its encodings. */
export function OriginalRow({ file, shown, onDelete }: OriginalRowProps) {
  const encodings = file.encodings ?? [];
  const [best] = versionsOf(file);
  const name = mediaFileName(file);
  return (
    <li className={styles.file}>
      <div className={styles.fileHead}>
        <TypeIcon type={file.type} />
        <div className={styles.fileText}>
          <div className={styles.fileName} title={shownName(file.display_name)}>
            {name}
          </div>
          <div className={styles.facts}>{isElsewhere(file) ? texts.embedded : factsText(fileFactTexts(file))}</div>
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
  const name = encoding.encoding_profile || shownName(encoding.display_name) || texts.encoding;
  return (
    <li className={styles.encoding}>
      <div className={styles.fileText}>
        <div className={styles.encodingHead}>
          {name}
          <StateChip look={fileLook(encoding.status)} state={encoding.status} />
        </div>
        <div className={styles.small}>{factsText(fileFactTexts(encoding).slice(1))}</div>
        {encoding.status === 'error' ? <p className={styles.small}>{texts.encodingFailed}</p> : null}
      </div>
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

/** The menu of a file: all commands except playing it. */
function FileMenu({ file, shown, onDelete }: Omit<OriginalRowProps, 'file'> & { file: MediaFile | Encoding }) {
  const name = (file.source === 'encoding' ? file.encoding_profile : null) ?? mediaFileName(file);
  const { siteId, mediaId } = shown;
  const download = {
    id: 'download',
    label: texts.download,
    isDisabled: !isDownloadable(file),
    onAction: () => void startDownload(siteId, [{ mediaId, fileId: file.id }]),
  };
  const item = { siteId, mediaId };
  const known = { id: file.id, name };
  const change =
    file.type === 'captions'
      ? {
          id: 'captions',
          label: texts.editCaptions,
          onAction: () =>
            openFileDialog({
              kind: 'captions',
              item,
              failed: null,
              captions: { id: file.id, name: file.display_name },
            }),
        }
      : { id: 'replace', label: texts.replace, onAction: () => void chooseReplacement(item, known) };
  const changeWeb = {
    id: 'web',
    label: texts.changeWeb,
    onAction: () => openFileDialog({ kind: 'web', item, old: known }),
  };
  const canChange = file.source !== 'encoding';
  const groups: MenuGroup[] = [
    {
      entries: [
        download,
        { id: 'copy-name', label: texts.copyName, onAction: () => void copyToClipboard(file.display_name) },
      ],
    },
    ...(canChange ? [{ entries: [isElsewhere(file) ? changeWeb : change] }] : []),
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

/** Returns whether a file can be downloaded: the library received it, even if it could not process it. */
export function isDownloadable(file: MediaFile | Encoding): boolean {
  return !isElsewhere(file) && file.status !== 'uploading' && file.status !== 'aborted';
}

/** The next step for a state that requires one. */
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

/** Returns the name of a file as screens show it: nothing in it can make a program look like a picture, as `exe.png`. */
export function mediaFileName(file: MediaFile | Encoding): string {
  if (file.display_name === '') return typeWord(file.type);
  return shownName(file.type === 'captions' ? captionsLabel(file.display_name) : file.display_name);
}
