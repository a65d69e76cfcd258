import type { MediaFile } from '../../../../shared/api/files.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { ConfirmDialog } from '../../../kit/components/overlay/dialog.tsx';
import { openFileDialog, replaceFile, useFileDialog } from '../state/files/file-commands.ts';
import { useInspector } from '../state/inspector-store.ts';
import { CaptionsDialog } from './captions-dialog.tsx';
import { texts } from './texts.ts';
import { ThumbnailDialog } from './thumbnail-dialog.tsx';
import { WebDialog } from './web-dialog.tsx';

const NO_FILES: readonly MediaFile[] = [];

/**
 * The open dialog about the files of an item. It stays open when the inspector closes, for example because the window got
 * narrower.
 */
export function FileDialogs() {
  const open = useFileDialog((state) => state.open);
  const detail = useInspector((state) => state.detail);
  const mediaId = open !== null && 'item' in open ? open.item.mediaId : null;
  const files = detail?.item.id === mediaId ? (detail?.files ?? NO_FILES) : NO_FILES;
  const close = () => openFileDialog(null);
  switch (open?.kind) {
    case undefined:
    // Shown by `CollectionThumbnailDialog`, because collections have commands in every view.
    case 'collection-thumbnail':
      return null;
    case 'captions':
      return <CaptionsDialog {...open} files={files} onClose={close} />;
    case 'thumbnail':
      return (
        <ThumbnailDialog
          title={texts.thumbnail.title}
          formats={texts.thumbnail.formats}
          frame={open.frame}
          onSet={(picture) => call('files.setThumbnail', { ...open.item, picture })}
          onClose={close}
        />
      );
    case 'web':
      return <WebDialog item={open.item} old={open.old} onClose={close} />;
    case 'replace': {
      const { item, old, path, fileName } = open;
      const encodings = files.find(({ id }) => id === old.id)?.encodings?.length ?? 0;
      return (
        <ConfirmDialog
          title={texts.replaceTitle(old.name)}
          text={[texts.replaceText(fileName, old.name, encodings), texts.replaceCaptions]}
          confirm={texts.replaceConfirm}
          isOpen
          onClose={close}
          onConfirm={() => void replaceFile(item, old.id, path)}
        />
      );
    }
  }
}
