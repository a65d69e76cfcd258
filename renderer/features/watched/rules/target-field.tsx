import type { FolderSettings } from '../../../../shared/contract/watch-rules.ts';
import { Checkbox, Segments } from '../../../kit/components/forms/choice.tsx';
import { fieldStyles } from '../../../kit/components/forms/field.tsx';
import { Select } from '../../../kit/components/forms/select.tsx';
import { CollectionPicker } from '../../common/collection-picker.tsx';
import { openSites, useApp } from '../../common/state/app-store.ts';
import { mappingTargetOf, noMapping, withMappingKind, withTarget } from '../state/rules-draft.ts';
import { texts } from '../texts.ts';
import styles from './rules.module.css';

type Target = Pick<FolderSettings, 'siteId' | 'collection'>;

interface TargetFieldProps extends Target {
  onChange: (target: Partial<Target>) => void;
  error?: string | null;
  autoFocus?: boolean;
}

const { fields } = texts;

/** The account and the collection that files are uploaded to: one collection, or one for each sub-folder. */
export function TargetField({ siteId, collection, onChange, error = null, autoFocus = false }: TargetFieldProps) {
  const target = mappingTargetOf(collection);
  return (
    <>
      <AccountField
        siteId={siteId}
        // A change of the account resets the collection, because a collection belongs to one library.
        onChange={(next) => onChange({ siteId: next, collection: noMapping() })}
      />
      <div data-field="collection">
        <CollectionPicker
          key={siteId}
          label={collection.kind === 'fixed' ? fields.collection : fields.parent}
          siteId={siteId}
          value={target.kind === 'id' && target.id !== '' ? target.id : null}
          onChange={(id, name) => {
            if (id !== null) onChange({ collection: withTarget(collection, { kind: 'id', id, name }) });
          }}
          error={error}
          autoFocus={autoFocus}
        />
        {target.kind === 'ref' ? <span className={fieldStyles.hint}>{fields.byName(target.ref)}</span> : null}
      </div>
      <Segments
        label={fields.mapping}
        value={collection.kind}
        options={[
          { value: 'fixed', label: fields.mappingFixed },
          { value: 'by-folder', label: fields.mappingByFolder },
        ]}
        onChange={(kind) => onChange({ collection: withMappingKind(collection, kind) })}
      />
      {collection.kind === 'fixed' ? null : (
        <div className={styles.nested}>
          <Segments
            label={fields.levels}
            value={collection.levels}
            options={[
              { value: 'first', label: fields.levelsFirst },
              { value: 'every', label: fields.levelsEvery },
            ]}
            onChange={(levels) => onChange({ collection: { ...collection, levels } })}
          />
          <Checkbox
            isSelected={collection.create}
            onChange={(create) => onChange({ collection: { ...collection, create } })}
          >
            {fields.create}
          </Checkbox>
        </div>
      )}
    </>
  );
}

/** Chooses between the accounts of this profile; not shown for a single account. */
function AccountField({ siteId, onChange }: { siteId: string; onChange: (siteId: string) => void }) {
  const sites = useApp((state) => state.sites);
  const open = openSites(sites);
  const known = open.some(({ id }) => id === siteId);
  if (known && open.length < 2) return null;
  return (
    <Select
      label={fields.account}
      value={siteId}
      options={open.map(({ id, accountName, displayName }) => ({
        value: id,
        label: accountName ?? displayName,
        detail: displayName,
      }))}
      onChange={onChange}
    />
  );
}
