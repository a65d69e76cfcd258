import { ChevronDown, Upload } from 'lucide-react';
import { pick } from '../../commands/commands.ts';
import { importSpreadsheet } from '../../commands/spreadsheets.ts';
import { Button } from '../../components/button.tsx';
import { ActionMenu } from '../../components/overlay/menu.tsx';
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
