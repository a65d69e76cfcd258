import { ChevronDown, Upload } from 'lucide-react';
import { Button } from '../../kit/components/button.tsx';
import { ActionMenu } from '../../kit/components/overlay/menu.tsx';
import { importSpreadsheet } from '../library/state/manifest/spreadsheets.ts';
import { pick } from './commands/commands.ts';
import { texts } from './texts.ts';

/** Lets the user choose files or a folder to upload. `label` names the menu. */
export function AddButton({ label }: { label: string }) {
  return (
    <ActionMenu
      label={label}
      placement="bottom end"
      groups={[
        {
          entries: [
            { id: 'files', label: texts.files, onAction: () => void pick('files') },
            { id: 'folder', label: texts.folder, onAction: () => void pick('folder') },
          ],
        },
        { entries: [{ id: 'spreadsheet', label: texts.spreadsheet, onAction: importSpreadsheet }] },
      ]}
    >
      <Button variant="primary" icon={<Upload size={14} aria-hidden />}>
        {texts.addUploads}
        <ChevronDown size={12} aria-hidden />
      </Button>
    </ActionMenu>
  );
}
