import { fieldStyles } from '../../../kit/components/forms/field.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { ManifestSetting } from '../rules/setting-fields.tsx';
import { useDraft } from '../state/folder-draft.ts';
import { texts } from '../texts.ts';

interface ManifestOfferProps {
  value: boolean;
  onChange: (value: boolean) => void;
}

/** The maximum number of unusable spreadsheets that are shown. */
const SHOWN_ERRORS = 3;

/**
 * The setting for spreadsheets, with the spreadsheets that are already in the folder and the number of their matching rows. They
 * are used only when the user turns the setting on.
 */
export function ManifestChoice({ value, onChange }: ManifestOfferProps) {
  const manifest = useDraft((state) => state.manifest);
  const error = useDraft((state) => state.manifestError);
  if (manifest === null) {
    return (
      <>
        <ManifestSetting value={value} onChange={onChange} />
        {error === null ? null : <InlineError error={error} />}
      </>
    );
  }
  const unusable = manifest.files.filter(({ error }) => error !== null);
  return (
    <div className={fieldStyles.field} data-testid="manifest-offer">
      <span className={fieldStyles.label}>{texts.fields.manifest}</span>
      {unusable.length === manifest.files.length ? null : (
        <span className={fieldStyles.hint} role="status">
          {texts.add.manifest(manifest)}
        </span>
      )}
      {unusable.slice(0, SHOWN_ERRORS).map(({ path, error }) => (
        <div key={path}>
          <span className={fieldStyles.hint}>{texts.add.manifestUnusable(path)}</span>
          {error === null ? null : <InlineError error={error} />}
        </div>
      ))}
      <ManifestSetting value={value} onChange={onChange} />
    </div>
  );
}
