import { fieldStyles } from '../../../components/forms/field.tsx';
import { InlineError } from '../../../components/status/empty-state.tsx';
import { useDraft } from '../../../stores/watched/folder-draft.ts';
import { ManifestField } from '../rules/setting-fields.tsx';
import { texts } from '../texts.ts';

interface ManifestOfferProps {
  value: boolean;
  onChange: (value: boolean) => void;
}

/** Offers a spreadsheet that is in the folder already, with how many of its rows fit. It is used only when the user says so. */
export function ManifestOffer({ value, onChange }: ManifestOfferProps) {
  const manifest = useDraft((state) => state.count?.manifest);
  if (manifest === undefined) return null;
  const { fileName, error } = manifest;
  return (
    <div className={fieldStyles.field} data-testid="manifest-offer">
      <span className={fieldStyles.label}>{texts.fields.manifest}</span>
      {error === null ? (
        <span className={fieldStyles.hint} role="status">
          {texts.add.manifest(manifest)}
        </span>
      ) : (
        <>
          <span className={fieldStyles.hint}>{texts.add.manifestUnusable(fileName)}</span>
          <InlineError error={error} />
        </>
      )}
      <ManifestField value={value} onChange={onChange} />
    </div>
  );
}
